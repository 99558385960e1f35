import Foundation
import SchemaDiagnostics
import SchemaImport
import SchemaModel
import TestSupport
import Testing

/// Damaged models and sources: the import reports an error with a location or writes files that compile.
@Suite struct HostileImportTests {
  @Test func damagedFilesEndInAnErrorOrInFilesThatCompile() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let cases = try ImportCase.all.map { ($0, try $0.inputs) }.filter { !$0.1.isEmpty }
    var failures = 0
    for _ in 0..<Repetitions.scaled(80) {
      let (test, inputs) = cases[random.roll(cases.count)]
      var files = inputs
      let place = random.roll(files.count)
      files[place] = SourceFile(path: files[place].path, bytes: random.damage(files[place].bytes))
      do {
        let result = try test.run(files)
        let errors = ImportCase.errors(result)
        guard errors.isEmpty else {
          Issue.record(
            """
            seed \(seed): \(test.testDescription) \(files[place].path): \(errors)
            \(files[place].text(from: 0, to: files[place].bytes.count))
            """)
          return
        }
      } catch {
        failures += 1
        #expect(error.line > 0 && error.column > 0 && !error.message.isEmpty, "seed \(seed)")
      }
    }
    #expect(failures > 0, "seed \(seed): nothing was damaged")
  }

  @Test(arguments: [
    ("", "1:1: error: the file contains no elements"),
    ("hello", "1:1: error: text outside the root element; is this XML?"),
    ("<plist/>", "1:1: error: not a Core Data model: the root element is '<plist>', expected '<model>'"),
    ("<model>\n <entity/></model>", "2:1: error: this 'entity' has no name"),
    ("<model>\n<a></model>", "2:4: error: '</model>' does not close '<a>' in line 2"),
    ("<model>\n<a b='1'\n  b='2'/></model>", "3:3: error: duplicate attribute 'b'"),
    ("<model a=\"x", "1:8: error: the value of 'a' is unterminated"),
    ("<model a=\"&foo;\"/>", "1:11: error: '&foo;' is not a known reference"),
    ("<model a=\"a & b\"/>", "1:13: error: '&' does not begin a known reference; use '&amp;'"),
    ("<model a=\"<\"/>", "1:11: error: '<' is not allowed in a value; use '&lt;' or add the missing quote"),
    ("<model a=1/>", "1:10: error: the value of 'a' must be quoted"),
    ("<model a/>", "1:9: error: expected '=' and a value after 'a'"),
    ("<model a=''b=''/>", "1:12: error: expected a space before the attribute"),
    ("<model/><model/>", "1:9: error: only one root element is allowed"),
    ("</model>", "1:1: error: '</model>' has no start tag"),
    ("<model>", "1:8: error: '<model>' in line 1 is not closed"),
    ("<!-- <model/>", "1:1: error: unterminated comment"),
    (
      "<!DOCTYPE m [<!ENTITY a 'b'>]><model/>",
      "1:13: error: entity and type declarations are not supported"
    ),
    (
      "<?xml version='1.0' encoding='ISO-8859-1'?><model/>",
      "1:1: error: unsupported encoding 'ISO-8859-1'; save the file as UTF-8"
    ),
    ("\u{FEFF}<!DOCTYPE m SYSTEM \"file:///etc/passwd\"><model>&#x26;</model>", ""),
  ])
  func errorsHaveALocation(_ text: String, _ message: String) {
    let source = CoreDataSource(name: "M", versions: [.init(name: "M", file: SourceFile(path: "contents", text: text))])
    do throws(MarkupProblem) {
      let result = try CoreDataImporter.run(source)
      #expect(message.isEmpty && result.models == 0)
    } catch {
      #expect(error.text == "contents:\(message)")
    }
  }

  @Test func depthHasALimit() {
    let text =
      "<model>" + String(repeating: "<a>", count: 200_000) + String(repeating: "</a>", count: 200_000) + "</model>"
    #expect(throws: MarkupProblem.self) { try CoreDataReader.read(SourceFile(path: "contents", text: text)) }
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x3C, 0], [0x3C, 0xC3, 0x28], Array("bplist00".utf8)] {
      #expect(throws: MarkupProblem.self) { try CoreDataReader.read(SourceFile(path: "contents", bytes: bytes)) }
    }
  }

  /// Names and strings must not become declarations.
  @Test func modelTextIsNeverCode() throws {
    let text = """
      <model><entity name="A"><attribute name="x: Int }&#10;@Model class Evil {" attributeType="String"/>
      <attribute name="y" attributeType="Transformable" customClassName="X&#10;var z: Int"/>
      <attribute name="w" attributeType="String&#10;@Model class B {}"/>
      <attribute name="v" attributeType="String" versionHashModifier="&quot;) var q: Int //" defaultValueString="\\(1)"/>
      <userInfo><entry key="k&#10;}" value="&#x2028;&#13;}"/></userInfo></entity></model>
      """
    let source = CoreDataSource(name: "M", versions: [.init(name: "M", file: SourceFile(path: "contents", text: text))])
    let result = try CoreDataImporter.run(source)
    let schema = try #require(
      SchemaCompiler.compile([SourceFile(path: "M.schema", text: result.files[0].text)]).schemas.first)
    #expect(schema.entities.map(\.name) == ["A"])
    #expect(schema.entities[0].properties.map(\.name) == ["v"])
    #expect(result.notes.allSatisfy { !$0.text.contains(where: \.isNewline) })
  }
}

extension SeededGenerator {
  /// Removes, duplicates or replaces random pieces.
  fileprivate mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...roll(3) where !bytes.isEmpty {
      let start = roll(bytes.count)
      let range = start..<min(bytes.count, start + 1 + roll(40))
      switch roll(4) {
      case 0: bytes.removeSubrange(range)
      case 1: bytes.insert(contentsOf: bytes[range], at: roll(bytes.count))
      case 2: bytes[start] = [0x22, 0x3C, 0x7B, 0x7D, 0x2F, 0x0A, 0xFF, 0x26, 0x28][roll(9)]
      default: bytes.swapAt(start, roll(bytes.count))
      }
    }
    return bytes
  }
}
