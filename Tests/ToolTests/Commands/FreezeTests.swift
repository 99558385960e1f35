import Foundation
import SchemaDriver
import Testing

/// Tests of releases: the copied bytes, atomicity and rejections.
struct FreezeTests {
  static let first = "schema S 1.0.0\n\n// kept as it is\n@Model class A { var x: Int = 0 }\n"
  static let second = "schema S 2.0.0\n@Model class A { var x: Int = 0; var y: Int = 0 }\n"

  @Test(arguments: [
    first, first.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
    String(first.dropLast()),
  ])
  func theCopyHasTheSameBytes(_ text: String) throws {
    try play { folder in
      try folder.write("Sources/Ä b/S.schema", text)
      let (status, output) = folder.run("freeze")
      #expect(status == .clean)
      #expect(
        output == "S 1.0.0: released as Sources/Ä b/versions/S-1.0.0, recorded in Sources/Ä b/versions/S.lock\n")
      #expect(
        try folder.files == [
          "Sources/Ä b/S.schema", "Sources/Ä b/versions/S-1.0.0/S.schema", "Sources/Ä b/versions/S.lock",
        ])
      #expect(try folder.read("Sources/Ä b/versions/S-1.0.0/S.schema") == text)
      #expect(try folder.read("Sources/Ä b/S.schema") == text)
      #expect(folder.run("verify").status == .clean)
      let before = try folder.contents()
      #expect(folder.run("freeze").text == "S 1.0.0: nothing to do, already released and unchanged\n")
      #expect(try folder.contents() == before)
    }
  }

  @Test func dryRunsWriteNothing() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      let (status, output) = folder.run("freeze", "--dry-run")
      #expect(status == .clean)
      #expect(output.hasSuffix("nothing was written (--dry-run)\n"))
      #expect(try folder.files == ["S.schema"])
    }
  }

  @Test func theNextVersionIsAppendedToTheLockFile() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      let lock = try folder.read("versions/S.lock")
      try folder.write("S.schema", Self.second)
      #expect(folder.run("freeze").status == .clean)
      let longer = try folder.read("versions/S.lock")
      #expect(longer.hasPrefix(lock))
      #expect(longer.split(separator: "\n").count == 3)
      #expect(folder.run("verify").text == "S 1.0.0 → 2.0.0: 1 migration step checked, no findings\n")
    }
  }

  @Test func changedReleasedVersionsAreRejected() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", Self.first + "@Model class B { var y: Int = 0 }\n")
      let before = try folder.contents()
      let (status, output) = folder.run("freeze")
      #expect(status == .findings)
      #expect(output.hasPrefix("S.schema:1:10: error: version 1.0.0 of 'S' is released, but the schema has changed"))
      #expect(try folder.contents() == before)
      // Comments are not part of a version.
      try folder.write("S.schema", "// new\n" + Self.first)
      #expect(folder.run("freeze").text == "S 1.0.0: nothing to do, already released and unchanged\n")
    }
  }

  /// After the release, the app's functions belong to the released version.
  @Test func customSteps() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      let second = Self.first.replacing("1.0.0", with: "1.1.0") + "migration from 1.0.0 { custom count }\n"
      try folder.write("S.schema", second.replacing("class A {", with: "class A { var y: Int?;"))
      #expect(
        folder.run("freeze").text == """
          S 1.1.0: released as versions/S-1.1.0, recorded in versions/S.lock
            change its custom steps (count) to use the models of this version, for example \
          'SSchema.V1_1_0.A' instead of 'A', which now belongs to the next version

          """)
    }
  }

  @Test func errorsAreReportedAndNothingIsWritten() throws {
    let cases = [
      (
        "@Model class A { var x: Int = 0 }\n",
        "S.schema:1:1: error: a file that has no 'schema' line cannot be released"
      ),
      ("schema S\n@Model class A { var x: Int = 0 }\n", "S.schema:1:8: error: schema without a version"),
      ("schema S 1.0.0\n@Model class A { var x: Itn = 0 }\n", "S.schema:2:25: error: unknown type 'Itn'"),
      (
        "schema S 1.0.0\n@Model class A { var x: Int = 0 }\nmigration from 0.1.0 { custom a }\n",
        "S.schema:3:16: error: no version of 'S' before 1.0.0 has been released"
      ),
    ]
    for (text, message) in cases {
      try play { folder in
        try folder.write("S.schema", text)
        // The other schema of the folder is not released either.
        try folder.write("T.schema", "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
        let (status, output) = folder.run("freeze")
        #expect(status == .findings || status == .unparsable)
        #expect(output.hasPrefix(message), "\(output)")
        #expect(try folder.files == ["S.schema", "T.schema"])
      }
    }
  }

  @Test func identicalVersions() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try folder.write("S.schema", Self.first.replacing("1.0.0", with: "1.1.0"))
      let (status, output) = folder.run("freeze")
      #expect(status == .findings)
      #expect(output.hasPrefix("S.schema:1:10: error: versions 1.0.0 and 1.1.0 of 'S' are the same"))
    }
  }

  @Test func severalFilesAndSeveralSchemas() throws {
    try play { folder in
      try folder.write("M/A.schema", "schema S 1.0.0\n@Model class A { var b: B? }\n")
      try folder.write("M/B.schema", "schema S 1.0.0\n@Model class B { var a: [A] = [] }\n")
      try folder.write("M/T.schema", "schema T 3.1.4\n@Model class T { var x: Int = 0 }\n")
      try folder.write(".build/checkouts/U.schema", "schema U 1.0.0\n@Model class U { var x: Int = 0 }\n")
      #expect(folder.run("freeze", "M/T.schema").status == .clean)
      #expect(
        try folder.files.filter { $0.contains("versions") } == ["M/versions/T-3.1.4/T.schema", "M/versions/T.lock"])
      #expect(folder.run("freeze").status == .clean)
      #expect(
        try folder.files.filter { $0.contains("S") } == [
          "M/versions/S-1.0.0/A.schema", "M/versions/S-1.0.0/B.schema", "M/versions/S.lock",
        ])
      #expect(try folder.files.filter { $0.contains("U") } == [".build/checkouts/U.schema"])
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func releasedVersionsAreNeverEdited() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      let before = try folder.contents()
      for verb in ["freeze", "bump", "verify"] {
        let (status, output) = folder.run(verb, "versions/S-1.0.0/S.schema")
        #expect(status == .usage)
        #expect(output.contains("this is a released version, which cannot be edited"))
      }
      #expect(try folder.contents() == before)
    }
  }

  @Test func copiesWithoutALockFileAreNotTrusted() throws {
    try play { folder in
      try folder.write("versions/S-1.0.0/S.schema", Self.first)
      try folder.write("S.schema", Self.second)
      let before = try folder.contents()
      let (status, output) = folder.run("freeze")
      #expect(status == .findings)
      #expect(output.contains("MIG007") && output.contains("trellis verify --rebuild-lock"))
      #expect(try folder.contents() == before)
      #expect(folder.run("verify", "--rebuild-lock").status == .clean)
      #expect(folder.run("freeze").status == .clean)
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func folderWithAWrongNumber() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      try FileManager.default.moveItem(
        at: folder.root.appendingPathComponent("versions/S-1.0.0"),
        to: folder.root.appendingPathComponent("versions/S-1.0.1"))
      let (status, output) = folder.run("verify")
      #expect(status == .findings)
      #expect(output.contains("the folder 'S-1.0.1' contains S 1.0.0 [MIG003 version-order]"))
    }
  }

  @Test func adviceIsPrintedBeforeTheRelease() throws {
    try play { folder in
      try folder.write("S.schema", "schema S 1.0.0\n@Model class A { @Attribute(.unique) var x: Int = 0 }\n")
      folder.run("freeze")
      try folder.write("S.schema", "schema S 2.0.0\n@Model class A { var x: Int = 0 }\n")
      let (status, output) = folder.run("freeze")
      #expect(status == .clean)
      #expect(output.contains("[MIG051 unique-removed]"))
      // A released version cannot be changed and is no longer reported.
      #expect(folder.run("verify").status == .clean)
    }
  }

  @Test func symbolicLinksAndPermissionsAreKept() throws {
    try play { folder in
      try folder.write("shared/S.txt", Self.first)
      let link = folder.root.appendingPathComponent("S.schema")
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: folder.root.appendingPathComponent("shared/S.txt"))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: folder.root.appendingPathComponent("shared/S.txt").path)
      #expect(folder.run("rename", "A.x", "y").status == .clean)
      #expect(try folder.read("shared/S.txt").contains("var y: Int"))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("shared/S.txt"))
      let mode =
        try FileManager.default.attributesOfItem(
          atPath: folder.root.appendingPathComponent("shared/S.txt").path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o640)
    }
  }

  @Test func releasesAreAtomic() throws {
    try play { folder in
      try folder.write("A/S.schema", Self.first)
      try folder.write("B/T.schema", "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
      // A file exists at the path of the second folder.
      try folder.write("B/versions", "in the way")
      let (status, output) = folder.run("freeze")
      #expect(status == .usage)
      #expect(output.contains("nothing was changed"), "\(output)")
      #expect(try folder.files == ["A/S.schema", "B/T.schema", "B/versions"])
    }
  }

  @Test func failedReleasesAreRevertedCompletely() throws {
    try play { folder in
      try folder.write("A/S.schema", Self.first)
      try folder.write("B/T.schema", "schema T 1.0.0\n@Model class T { var x: Int = 0 }\n")
      // The last of four renames fails, because a folder exists at the path of the second lock file.
      try folder.write("B/versions/T.lock/note", "in the way")
      let before = try folder.contents()
      let (status, output) = folder.run("freeze")
      #expect(status == .usage)
      #expect(output.contains("B/versions/T.lock: error: cannot write to this path; nothing was changed"), "\(output)")
      #expect(try folder.contents() == before)
    }
  }

  @Test func folderCannotBeCreated() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      // Use a file as the obstacle, because permissions would not stop the superuser.
      try folder.write("versions", "a file")
      let before = try folder.contents()
      let (status, output) = folder.run("freeze")
      #expect(status == .usage)
      #expect(output.contains("nothing was changed"), "\(output)")
      #expect(try folder.contents() == before)
    }
  }

  @Test func interruptedReleasesAreCompleted() throws {
    try play { folder in
      try folder.write("S.schema", Self.first)
      folder.run("freeze")
      let complete = try folder.contents()
      // Interrupted between the folder and the lock file.
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions/S.lock"))
      #expect(folder.run("verify").text.contains("MIG007"))
      #expect(
        folder.run("freeze").text == "S 1.0.0: the files already existed and are now recorded in versions/S.lock\n")
      #expect(try folder.contents() == complete)
      // Interrupted before the folder was renamed: the temporary folder is not a version and is written again.
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions"))
      try folder.write("versions/.S-1.0.0.partial/S.schema", "half of a")
      #expect(folder.run("verify").text == "S 1.0.0 (not released): 0 migration steps checked, no findings\n")
      #expect(folder.run("freeze").status == .clean)
      #expect(try folder.contents() == complete)
      // If the folder has other contents, it is not the interrupted release.
      try FileManager.default.removeItem(at: folder.root.appendingPathComponent("versions/S.lock"))
      try folder.write("versions/S-1.0.0/S.schema", "schema S 1.0.0\n@Model class B { var x: Int = 0 }\n")
      #expect(folder.run("freeze").status == .findings)
    }
  }
}
