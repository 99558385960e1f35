import Foundation
import Testing
import Trellis

/// Values that cannot be encoded: the error names the model and property, and nothing is lost.
@Suite struct EncodingFailureTests {
  let fixture: StorageFixture
  let context: ModelContext

  init() throws {
    fixture = try StorageFixture()
    context = ModelContext(try fixture.container(Parcel.self))
  }

  private func parcel() -> Parcel { Parcel(label: "p") }

  /// The location of a value that cannot be encoded.
  enum Place: String, CaseIterable { case guest, guests, rooms }

  private func put(_ guest: Guest, _ place: Place, in parcel: Parcel) {
    switch place {
    case .guest: parcel.guest = guest
    case .guests: parcel.guests = [Guest(name: "a"), guest]
    case .rooms: parcel.rooms = [guest]
    }
  }

  private func failure() throws -> SwiftDataError {
    try #require(#expect(throws: SwiftDataError.modelValidationFailure) { try context.save() })
  }

  @Test(arguments: Place.allCases, [false, true])
  func encodingErrorsNameModelAndProperty(_ place: Place, isSaved: Bool) throws {
    let (good, bad) = (parcel(), parcel())
    context.insert(good)
    if isSaved {
      context.insert(bad)
      try context.save()
    }
    put(Guest(name: "nobody"), place, in: bad)
    context.insert(bad)
    good.label = "changed"
    let error = try failure()
    #expect(error.details.map(\.model) == [bad.persistentModelID])
    #expect(error.details.map(\.properties) == [[place.rawValue]])
    #expect(error.details.map(\.rule) == [.unencodable])
    #expect(error.underlyingError as? Guest.Refusal == Guest.Refusal(name: "nobody"))
    #expect(context.hasChanges)
    put(Guest(name: "somebody"), place, in: bad)
    try context.save()
    #expect(try ModelContext(context.container).all(Parcel.self).map(\.label).sorted() == ["changed", "p"])
  }

  @Test func theMessageShortensTheValue() throws {
    let bad = parcel()
    bad.guests = [Guest(name: String(repeating: "x", count: 109_000))]
    context.insert(bad)
    let error = try failure()
    #expect("\(error)".count < 600)
    #expect("\(error)".contains("too long At '0.name'. Value: xxx"))
    #expect(error.underlyingError is EncodingError)
  }

  @Test(arguments: [(508, true), (510, true), (512, false), (10_000, false)])
  func valuesCanBeNestedAsDeeplyAsTheyCanBeRead(levels: Int, isSaved: Bool) throws {
    let model = parcel()
    model.nest = Nest(levels: levels)
    context.insert(model)
    guard !isSaved else {
      try context.save()
      #expect(try ModelContext(context.container).only(Parcel.self).nest == model.nest)
      return
    }
    let error = try failure()
    #expect(error.details.map(\.properties) == [["nest"]])
    #expect("\(error)".contains("nested more than 511 levels deep"))
    model.nest = Nest()
    try context.save()
  }
}
