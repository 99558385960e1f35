import Foundation
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Values that are too large for a row.
struct LargeValueTests {
  @Test(arguments: [RowFormat.csv, .ndjson]) func largeValuesBecomeFiles(_ format: RowFormat) throws {
    try inTemporaryFolder { folder in
      let (files, new) = (folder.file("files"), folder.file("new.store"))
      let old = try RowStore(
        "@Model class Thing { @Attribute(.externalStorage) var photo: Data? }", at: folder.file("old.store"))
      try old.execute(
        """
        INSERT INTO "Thing" ("id", "photo")
        VALUES (1, NULL), (2, randomblob(131072)), (3, randomblob(131073)), (4, randomblob(2000000))
        """)
      try export(old.url, format, to: files)
      let report = try FolderImport(RowFolder(files, format))
        .run(into: new, staging: folder.file("rows"), rejects: .stop)
      #expect(report.isComplete)
      // Reads the files.
      #expect(try StoreImage(new).difference(from: StoreImage(old.url)) == nil)
      let stored = try Connection(new.path, .readOnly).rows("SELECT \"photo\" FROM \"Thing\" ORDER BY \"id\"")
      let names = stored.compactMap { if case .text(let name)? = $0.first { name } else { nil } }
      #expect(names.map { $0.split(separator: "-").last } == ["131073", "2000000"])
      #expect(Set(try FileManager.default.contentsOfDirectory(atPath: new.path + "-external")) == Set(names))
      // The rows' space in the database is free.
      let size = try FileManager.default.attributesOfItem(atPath: new.path)[.size] as? Int
      #expect(size.map { $0 < 400_000 } == true, "\(size ?? 0)")
    }
  }
}
