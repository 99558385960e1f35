import Foundation
import Testing

@testable import Trellis

/// Fingerprints must not change, because stores contain them.
struct FingerprintTests {
  /// Schemas without coded forms.
  private static let known = [
    "Access 1.0.0": "1e08c7321ab9d5f278ac12a38298d714",
    "Access 2.0.0": "80121e3821db386e023d03c7b4b3a7e7",
    "Inheritance 1.0.0": "e8d2d90aa9a16974ae744ac17de1331d",
    "Inheritance 2.0.0": "8b99f0a1b77e7fbfba7c5e6ec6e0eeaa",
    "Inheritance 3.0.0": "2b933f64fdef86bf6c8c761ce6b1442f",
    "Initializers 1.0.0": "39cbe3c0ef7eecfbe8183cbf39bf5f18",
    "Initializers 2.0.0": "ef9bc2638bdcf2bc862a275f2ef5b2b8",
    "LandmineTypes 1.0.0": "f48404a8181c1c9b3ef8fb51f1294f55",
    "LandmineTypes 2.0.0": "851c55870d3e9ee26f7fd3bf86bf056e",
    "LandmineWords 1.0.0": "e0b38040f4904c2be58f6b836a49f423",
    "LandmineWords 2.0.0": "cd92cc356782c314e8cebb441816c0a2",
    "Relationships 1.0.0": "d9377b5326c91d9b1ad371b2b4c7fd5b",
    "Relationships 1.2.3": "f273832ee6dc1ab74a1213bf7112e525",
    "Relationships 2.0.0": "4e09cd08d060c01021c3d5ef6e0ac52d",
    "SampleTrips 1.0.0": "61cb350498402efb0d6ccb3e0afdc55a",
    "SampleTrips 2.0.0": "239eefe9849e31d63809d57c7c2afcce",
    "SampleTrips 3.0.0": "c171e0af108df010905f0d0790e082a6",
    "Several 0.9.1": "7c638832a1be3f8a1f17e60633f7042a",
    "Several 1.0.0": "be4f530debf279d9c0eb42f69c6220a3",
    "Values 1.0.0": "1b872cebbb525e611264700d29b8fe75",
    "Values 2.0.0": "ed188546133cfc6850f9dbd6048897ce",
    "Values 3.0.0": "40ed76e0210903ab96af0a44af09f9e1",
  ]

  @Test func thoseOfStoresThatAreThereStay() {
    let own = SchemaUnderTest.all.filter { Self.known[$0.testDescription] != nil }
    #expect(own.count == Self.known.count)
    for schema in own {
      let compiled = Schema(versionedSchema: schema.compiled)
      #expect(SchemaFingerprint.text(of: compiled) == Self.known[schema.testDescription], "\(schema)")
      #expect(compiled.codedForms.isEmpty, "\(schema)")
    }
  }

  /// Schemas with coded forms have other fingerprints.
  @Test func formsCountWhereThereAreSome() throws {
    let oddities = try #require(try SchemaUnderTest.oddities().first)
    let compiled = Schema(versionedSchema: oddities.compiled)
    #expect(
      compiled.codedForms == [
        "Oddity.bySide": "Side*",
        "Oddity.code": "Code!",
        "Oddity.codes": "Code!",
        "Oddity.renamed": "Renamed(kind note width=w)",
        "Strange.answer": "Renamed(kind note width=w)",
      ])
    // The forms survive encoding and decoding.
    let text = String(decoding: try JSONEncoder().encode(compiled), as: UTF8.self)
    let again = try JSONDecoder().decode(Schema.self, from: Data(text.utf8))
    #expect(again.codedForms == compiled.codedForms)
    #expect(SchemaFingerprint.text(of: again) == SchemaFingerprint.text(of: compiled))
    let others = text.replacingOccurrences(of: "Renamed(kind note width=w)", with: "Renamed(kind note width=v)")
    let other = try JSONDecoder().decode(Schema.self, from: Data(others.utf8))
    #expect(SchemaFingerprint.text(of: other) != SchemaFingerprint.text(of: compiled))
  }
}

extension Schema {
  /// The coded forms of attributes, by `Model.property`.
  fileprivate var codedForms: [String: String] {
    var forms: [String: String] = [:]
    for entity in entities {
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        if let form = attribute.codedForm { forms["\(entity.name).\(attribute.name)"] = form }
      }
    }
    return forms
  }
}
