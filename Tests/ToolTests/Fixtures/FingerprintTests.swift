import Foundation
import Testing

@testable import Trellis

/// Fingerprints must not change, because stores contain them.
struct FingerprintTests {
  /// Schemas without coded forms.
  private static let known = [
    "Access 1.0.0": "59f118f7ee2e54cc4d99919f97cd2c07",
    "Access 2.0.0": "277825257203440c560d156e7a2295d3",
    "Inheritance 1.0.0": "00838aa2709025066b64da6b39e151ff",
    "Inheritance 2.0.0": "abc934a935826b3985a139f2f03acc06",
    "Inheritance 3.0.0": "543bdf8c7a746f1db5ac7ab6d4a8041e",
    "Initializers 1.0.0": "71ae15b4fbd694bbd76442fdb25188b8",
    "Initializers 2.0.0": "9527af73f3f89e6080a6741e70f01e76",
    "LandmineTypes 1.0.0": "13349232758f6b531bbb8ca3f5c59dcb",
    "LandmineTypes 2.0.0": "7ba44f47937457ead04fc281d0cadc14",
    "LandmineWords 1.0.0": "b5ef53f78f49abc1b1f94f7d35f30bba",
    "LandmineWords 2.0.0": "c1da136fc8ab0496797e4a66f333b7b4",
    "Relationships 1.0.0": "b96d28d104c43ea3005e65f9f183c781",
    "Relationships 1.2.3": "c20c4a02daec0eedf719bf4856896f3a",
    "Relationships 2.0.0": "6541719a2e43bebcebdcd14bf0863fb7",
    "SampleTrips 1.0.0": "dcd928307ee51e4dddbee658ea930ad9",
    "SampleTrips 2.0.0": "b84757d26a3ea0584875df7396d8341b",
    "SampleTrips 3.0.0": "d54c55ff75ca68f0b8b24b5e65ab8906",
    "Several 0.9.1": "0977077bf66f08105a5ee0a7f59977f3",
    "Several 1.0.0": "c46c13cc7538d457fb96b4350502fb9e",
    "Values 1.0.0": "6b9d94cd00e135358cb613ba4574e653",
    "Values 2.0.0": "5746ce09ad71fa5a0f7a3cca2e44aa1e",
    "Values 3.0.0": "3ac995f6f58b7839b06c0f3225d9fe2d",
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
