import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore

/// Fingerprints must not change, because stores contain them.
struct FingerprintTests {
  /// Schemas without coded forms.
  private static let known = [
    "Access 1.0.0": "a9035206a5f705263463a3c367d8fba3",
    "Access 2.0.0": "a00c0991b6795fa089ab888e7a3c5ae3",
    "Inheritance 1.0.0": "45631049307ebb58731ac6e3c8d7f9e0",
    "Inheritance 2.0.0": "c393d22e148dcf5f491ec33f9f0ca4fc",
    "Inheritance 3.0.0": "bfaff2a440f5c6cdf7cb5b5969b7bcb3",
    "Initializers 1.0.0": "b7bb8338ec64df63de0135610a24db45",
    "Initializers 2.0.0": "fd99045f82eb22ce37076db249b0d80a",
    "LandmineTypes 1.0.0": "119f7aef25bd0c776d5374b59c2a2b09",
    "LandmineTypes 2.0.0": "d14860ebe805aebc2a465db673de57a9",
    "LandmineWords 1.0.0": "507ec11d7ad3a42577a16026ab707959",
    "LandmineWords 2.0.0": "edb42a0894676670ffc0f9bdd5221afc",
    "Relationships 1.0.0": "9f4785f74061f533ef700ede84f2851c",
    "Relationships 1.2.3": "ab8417107427b0975cd3da7e5143c7bb",
    "Relationships 2.0.0": "e9ce5bed8b978bf8d4f1e351ee3d6e8d",
    "SampleTrips 1.0.0": "f9c1ee08f823e1d7ceeee1d9d1cd0ffd",
    "SampleTrips 2.0.0": "9e01b6972ce76554b13479faec9e7344",
    "SampleTrips 3.0.0": "c5efacce12b81520db33bd055710524a",
    "Several 0.9.1": "07328f73080aa5d035d65d7d53b3c92b",
    "Several 1.0.0": "e65f5ec64a03569983308c83ac156fba",
    "Values 1.0.0": "632cb93772966a1dbc542c4e0c178ae1",
    "Values 2.0.0": "42be5287df691580e4f6f6ef1f730d8d",
    "Values 3.0.0": "26490fa6008bc4cf98250b0c3e43e3b7",
  ]

  @Test func fingerprintsOfExistingStoresDoNotChange() {
    let own = SchemaUnderTest.all.filter { Self.known[$0.testDescription] != nil }
    #expect(own.count == Self.known.count)
    for schema in own {
      let compiled = Schema(versionedSchema: schema.compiled)
      #expect(SchemaFingerprint.text(of: compiled) == Self.known[schema.testDescription], "\(schema)")
      #expect(compiled.codedForms.isEmpty, "\(schema)")
    }
  }

  /// Schemas with coded forms have different fingerprints.
  @Test func codedFormsChangeTheFingerprint() throws {
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
