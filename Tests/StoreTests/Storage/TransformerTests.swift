import Foundation
import Testing
import Trellis

@Suite struct TransformerTests {
  init() {
    ValueTransformer.setValueTransformer(
      ReverseTransformer(), forName: NSValueTransformerName("StorageTests.Reverse"))
  }

  @Test func S020_valuesAreTransformedInBothDirections() throws {
    let fixture = try StorageFixture()
    let container = try fixture.container(Paint.self)
    let context = ModelContext(container)
    let paint = Paint("sky", tint: Tint(red: 1, blue: 255), word: "abc")
    context.insert(paint)
    try context.save()
    #expect(try fixture.shell("SELECT hex(tint), second IS NULL, word FROM Paint") == "01FF|1|x'636261'")
    let other = ModelContext(container)
    let found = try other.only(Paint.self)
    #expect(found.tint == Tint(red: 1, blue: 255))
    #expect(found.second == nil)
    #expect(found.word == "abc")
    found.second = Tint(red: 2, blue: 3)
    found.word = "xy"
    try other.save()
    #expect(try fixture.shell("SELECT hex(tint), hex(second), word FROM Paint") == "01FF|0203|x'7978'")
  }

  @Test func unregisteredTransformersAreErrorsWhenTheContainerIsCreated() throws {
    let fixture = try StorageFixture()
    let error = #expect(throws: SwiftDataError.self) { try fixture.container(Unregistered.self) }
    #expect(error == .unknownSchema)
    let text = "\(error.map { "\($0)" } ?? "")"
    #expect(text.contains("StorageTests.Nobody"))
    #expect(text.contains("Unregistered.word"))
    #expect(!FileManager.default.fileExists(atPath: fixture.url.path))
  }

  @Test func untransformableValuesAreErrorsAndNothingIsWritten() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Paint.self))
    context.insert(Paint("unlucky", tint: Tint(red: 13, blue: 0)))
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(try fixture.shell("SELECT count(*) FROM Paint") == "0")
    #expect(context.hasChanges)
  }

  @Test func untransformableBytesAreErrorsThatNameTheRow() throws {
    let fixture = try StorageFixture()
    let container = try fixture.container(Paint.self)
    let context = ModelContext(container)
    context.insert(Paint("sky", tint: Tint(red: 1, blue: 2)))
    try context.save()
    try fixture.shell("UPDATE Paint SET tint = x'01'")
    let error = #expect(throws: StoredValueError.self) {
      try ModelContext(container).all(Paint.self)
    }
    #expect(error?.property == "tint")
    #expect(error?.type.contains("Tint") == true)
  }
}
