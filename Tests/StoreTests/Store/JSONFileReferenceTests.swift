import Foundation
import Testing
import Trellis

/// Errors for inconsistent models contain the names in the file.
@Suite struct JSONFileReferenceTests {
  private let fixture: JSONFileFixture

  init() throws { fixture = try JSONFileFixture(Keep.self, KeepScrew.self, Crate.self) }

  private static let keep = #""Keep":[{"$id":1,"code":"a"}]"#
  private static let parts = #""KeepPart":[{"$id":3,"title":"p"}],"KeepScrew":[{"$id":4,"title":"s"}]"#

  @Test(arguments: [
    (keep + #","KeepLid":[{"$id":7,"color":"red","keep":9}]"#, ["'KeepLid' 7", "'Keep' 9", "'keep'"]),
    (keep + #","KeepLid":[{"$id":7,"color":"red"}]"#, ["'KeepLid' 7", "'keep'"]),
    (keep + #","KeepLid":[{"$id":7,"color":"red","keep":null}]"#, ["'KeepLid' 7", "'keep'"]),
    (#""Keep":[{"$id":5,"code":"a"},{"$id":5,"code":"b"}]"#, ["'Keep' 5", "twice"]),
    (
      #""KeepPart":[{"$id":5,"title":"p"}],"KeepScrew":[{"$id":5,"title":"s"}]"#,
      ["'KeepPart' 5", "'KeepScrew' 5"]
    ),
    (#""Keep":[{"$id":1,"code":"a","tags":[8]}]"#, ["'Keep' 1", "'KeepTag' 8", "'tags'"]),
    (#""Keep":[{"$id":1,"code":"a","friends":[1,6]}]"#, ["'Keep' 1", "'Keep' 6", "'friends'"]),
    (#""KeepPart":[{"$id":3,"title":"p","keep":2}]"#, ["'KeepPart' 3", "'Keep' 2", "'keep'"]),
    (parts + #","Crate":[{"$id":2,"name":"c","screws":[4,3]}]"#, ["'Crate' 2", "3", "'KeepPart'", "'screws'"]),
    (parts + #","Crate":[{"$id":2,"name":"c","best":3}]"#, ["'Crate' 2", "3", "'KeepPart'", "'best'"]),
    (parts + #","Crate":[{"$id":2,"name":"c","best":44}]"#, ["'Crate' 2", "'KeepScrew' 44", "'best'"]),
    (
      keep + #","KeepTag":[{"$id":2,"word":"w","keeps":[1]}],"KeepPart":[{"$id":"x","title":"p"}]"#, ["KeepPart[0].$id"]
    ),
    (#""Keep":[{"$id":1,"code":"a"},{"$id":2,"code":"a"}]"#, ["Keep/1", "Keep/2"]),
    (#""Keep":[{"$id":31,"code":7}]"#, ["models.Keep[0].code", "'Keep' 31"]),
    (#""Keep":[{"$id":31}]"#, ["'Keep' 31", "code"]),
  ])
  func whatDoesNotFitIsNamed(_ models: String, _ words: [String]) throws {
    try fixture.write(models)
    let before = fixture.bytes
    let error = try #require(try fixture.refusal(), "\(models)")
    #expect(error.storeProblem == .damaged)
    for word in words + [fixture.file.path] { #expect("\(error)".contains(word), "\(error)") }
    #expect(!"\(error)".contains("SQLite") && !"\(error)".contains("constraint failed"), "\(error)")
    #expect(fixture.bytes == before)
  }

  @Test func classesThatFitAreRead() throws {
    try fixture.write(Self.parts + #","Crate":[{"$id":2,"name":"c","screws":[4],"best":4}]"#)
    let context = ModelContext(try fixture.container())
    let crate = try #require(try context.fetch(FetchDescriptor<Crate>()).first)
    #expect(crate.screws.map(\.title) == ["s"] && crate.best?.title == "s")
  }

  /// Models with the highest keys can be read, and an insertion without a free key throws.
  @Test(arguments: [
    (#""KeepTag":[{"$id":9223372036854775807,"word":"w"}]"#, 0),
    (#""KeepTag":[{"$id":9223372036854775806,"word":"w"}]"#, 0),
    (#""KeepTag":[{"$id":9223372036854775804,"word":"w"}]"#, 2),
    (#""KeepTag":[{"$id":-9223372036854775808,"word":"w"},{"$id":9223372036854775807,"word":"v"}]"#, 0),
    (#""KeepTag":[{"$id":0,"word":"w"},{"$id":-5,"word":"v"}]"#, 50),
  ])
  func numbersThatAreUsedUpAreNamed(_ models: String, _ left: Int) throws {
    try fixture.write(models)
    let context = ModelContext(try fixture.container())
    let before = try context.fetchCount(FetchDescriptor<KeepTag>())
    #expect(before == models.count { $0 == "$" })
    for number in 0..<left {
      context.insert(KeepTag(word: "new \(number)"))
      try context.save()
    }
    if left < 50 {
      context.insert(KeepTag(word: "one too many"))
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("'KeepTag' 922337203685477580") && text.contains(fixture.file.path), "\(text)")
      context.rollback()
    }
    #expect(try ModelContext(fixture.container()).fetchCount(FetchDescriptor<KeepTag>()) == before + left)
  }
}
