import Foundation
import TestSupport
import Testing

/// The architectural invariants that can be tested on the source text.
@Suite struct StructureTests {
  /// The modules of this package that each compiler module can import. The runtime imports none of them.
  static let allowed: [String: Set<String>] = [
    "SchemaDiagnostics": [],
    "SchemaSyntax": ["SchemaDiagnostics"],
    "SchemaFacts": [],
    "SchemaModel": ["SchemaFacts", "SchemaDiagnostics", "SchemaSyntax"],
    "SchemaDiff": ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel"],
    "SchemaVersions": ["SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff"],
    "SchemaImport": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
    ],
    "SchemaLint": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaFormat",
      "SchemaReports",
    ],
    "SchemaReports": ["SchemaDiagnostics", "SchemaModel", "SchemaDiff"],
    "SchemaGraph": ["SchemaDiagnostics", "SchemaModel", "SchemaDiff"],
    "SchemaFormat": ["SchemaDiagnostics", "SchemaSyntax"],
    "SwiftSource": [],
    "MacroExpansion": ["SchemaDiagnostics", "SchemaSyntax", "SwiftSource"],
    "TrellisMacros": ["MacroExpansion"],
    "SchemaEmitter": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SwiftSource",
    ],
    "SchemaDriver": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions", "SchemaEmitter",
    ],
    "trellis-generate": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaEmitter", "SchemaDriver",
    ],
    "SchemaExport": [
      "SchemaFacts", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions", "SwiftSource",
    ],
    "AppleStore": ["SchemaDiagnostics", "SchemaImport"],
    "StoreTransfer": [
      "CSQLite", "Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions",
      "SchemaFixtures", "StoreInspection", "SchemaImport", "SchemaFormat", "SchemaLint", "AppleStore", "SchemaFacts",
      "MacroExpansion", "StoreCare",
    ],
    "StoreCare": [
      "CSQLite", "Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions",
      "SchemaFixtures", "StoreInspection",
    ],
    "SchemaCommands": [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
      "SchemaReports", "SchemaGraph", "SchemaImport", "SchemaExport", "SchemaFormat", "SchemaDriver",
      "StoreInspection",
    ],
    "StoreCommands": [
      "CSQLite", "Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions",
      "SchemaFixtures", "SchemaDriver", "SchemaImport", "SchemaExport", "SchemaCommands", "StoreInspection",
      "StoreTransfer", "StoreCare", "AppleStore", "StoreStudio",
    ],
    "StoreStudio": [
      "CSQLite", "Trellis", "SchemaFacts", "SchemaDiagnostics", "SchemaModel", "SchemaFixtures", "SchemaGraph",
      "SchemaReports", "SchemaDriver", "SchemaCommands", "StoreTransfer", "StoreCare", "StudioPage",
    ],
    "SchemaServer": [
      "SchemaFacts", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
      "SchemaGraph", "SchemaFormat", "SchemaDriver", "SchemaCommands",
    ],
    "SchemaTool": ["SchemaDriver", "SchemaCommands", "SchemaServer"],
    "StoreTool": ["SchemaDriver", "SchemaCommands", "StoreCommands"],
    "StoreInspection": [
      "CSQLite", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions",
    ],
    "TrellisModel": ["CSQLite", "SchemaFacts"],
    "TrellisStore": ["TrellisModel", "CSQLite", "SchemaFacts"],
    "Trellis": ["TrellisStore", "CSQLite", "SchemaFacts"],
    "JSONStore": ["Trellis"],
    "SchemaFixtures": ["Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaVersions"],
    "TrellisTesting": ["Trellis", "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaFixtures"],
    "SampleTrips": ["Trellis", "JSONStore"],
    "trips": ["SampleTrips"],
    "trips-widget": ["SampleTrips", "Trellis"],
  ]

  static let ours = Set(allowed.keys)

  @Test(arguments: allowed.keys.sorted())
  func modulesImportOnlyLowerModules(_ module: String) throws {
    let files = try SourceTree.files(of: module)
    #expect(!files.isEmpty, "no sources in \(module)")
    for file in files {
      let wrong = file.imports.intersection(Self.ours).subtracting(Self.allowed[module] ?? [])
      #expect(wrong.isEmpty, "\(file.path) imports \(wrong.sorted())")
    }
  }

  /// The first check of a schema must not require a build of the runtime.
  @Test func pluginToolsDoNotDependOnTheRuntime() throws {
    let manifest = try Repository.text("Package.swift")
    for tool in ["SchemaTool", "trellis-generate"] {
      var waiting = [tool]
      var needed: Set<String> = []
      while let module = waiting.popLast() {
        guard needed.insert(module).inserted else { continue }
        // `module("SchemaDriver", "SchemaDiagnostics SchemaSyntax")`, with all names in one string.
        let declaration = try Regex(#"(?:module|program)\(\s*"\#(module)",\s*"+\s*([A-Za-z \\\n]+)"#)
        guard let names = manifest.firstMatch(of: declaration)?.output[1].substring else { continue }
        waiting += names.split { !$0.isLetter }.map(String.init)
      }
      #expect(needed.count > 4, "\(tool) is not found in the manifest")
      #expect(!needed.contains("Trellis"), "\(tool) needs \(needed.sorted())")
    }
  }

  @Test func pureModulesHaveNoSideEffects() throws {
    let banned = ["FileManager", "ProcessInfo", "print(", "exit(", "Date()", "Date.now", "FileHandle"]
    let modules = [
      "SchemaDiagnostics", "SchemaSyntax", "SchemaModel", "SchemaDiff", "SchemaVersions", "SchemaLint",
      "SchemaReports", "SchemaGraph", "SchemaImport", "SchemaFormat", "SwiftSource", "SchemaEmitter",
      "MacroExpansion",
    ]
    for module in modules {
      for file in try SourceTree.files(of: module) {
        for (number, line) in file.lines.enumerated() where !line.isComment {
          for word in banned where line.mentions(word) {
            Issue.record("\(file.path):\(number + 1): \(word) in a pure module")
          }
        }
      }
    }
  }

  @Test func sourcesContainNoExplicitTraps() throws {
    for file in try SourceTree.files(below: "Sources") + SourceTree.files(below: "Plugins") {
      for (number, line) in file.lines.enumerated() where !line.isComment {
        for word in ["fatalError(", "try!", " as! "] where line.mentions(word) {
          Issue.record("\(file.path):\(number + 1): \(word)")
        }
      }
    }
  }

  /// In a method of the protocol, the optimiser treats `Self` as the class that declares a property instead of the
  /// subclass. Values of subclasses were lost in release builds.
  @Test func metadataIsReadFromTheDynamicType() throws {
    for file in try SourceTree.files(below: "Sources/Runtime") {
      for (number, line) in file.lines.enumerated() where line.contains("Self._$definition") {
        Issue.record("\(file.path):\(number + 1): write type(of: self)._$definition")
      }
    }
  }

  @Test func pluginsAreSmall() throws {
    for file in try SourceTree.files(below: "Plugins") where file.path.hasSuffix("plugin.swift") {
      #expect(file.lines.count < 60, "\(file.path) has \(file.lines.count) lines")
    }
  }
}

extension Substring {
  var isComment: Bool { drop { $0 == " " }.hasPrefix("//") }

  /// True if code in the line, not a string, contains the word without declaring it.
  func mentions(_ word: String) -> Bool {
    guard let found = range(of: word) else { return false }
    let before = self[..<found.lowerBound]
    if let last = before.last, last.isLetter || last.isNumber || last == "_" { return false }
    if before.hasSuffix("func ") || before.hasSuffix(".") { return false }
    return before.count { $0 == "\"" } % 2 == 0
  }
}
