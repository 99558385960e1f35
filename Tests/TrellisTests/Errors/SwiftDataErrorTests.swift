import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct SwiftDataErrorTests {
  @Test func errorsAreEqualByKind() {
    let explained = SwiftDataError.unknownSchema.explained("no 'Trip'", path: "/tmp/x")
    #expect(explained == .unknownSchema && explained != .backwardMigration)
    #expect(explained.hashValue == SwiftDataError.unknownSchema.hashValue)
    #expect(explained.description.contains("no 'Trip'") && explained.path == "/tmp/x")
    #expect((explained as any Error).localizedDescription.contains("no 'Trip'"))
  }

  @Test func errorsCanBeCaughtByKind() {
    do {
      throw SwiftDataError.historyTokenExpired.explained("pruned")
    } catch SwiftDataError.backwardMigration {
      Issue.record("another kind")
    } catch SwiftDataError.historyTokenExpired {
    } catch {
      Issue.record("not matched")
    }
    #expect(!(SwiftDataError.unknownSchema ~= CancellationError()))
  }

  @Test func everyKindHasADescription() {
    let text = SwiftDataError.unsupportedPredicate.description
    #expect(text == "unsupportedPredicate: the predicate cannot be evaluated")
    #expect(SwiftDataError.unknownSchema.description.hasPrefix("unknownSchema: "))
  }

  @Test func violationsAreListed() {
    let song = PersistentIdentifier(token: .interned(store: "s", entity: "Song"), row: 4)
    let error = SwiftDataError.modelValidationFailure.listing([
      SwiftDataError.Violation(
        model: song, properties: ["album"], rule: .required, reason: "needs a value")
    ])
    #expect(error.description.contains("Song/4 album: needs a value"))
    #expect(error.details.first?.property == "album")
  }

  /// The description of such a date stops the process in Foundation.
  @Test func nanDatesHaveADescription() {
    struct Period { var start: Date? = Date(timeIntervalSinceReferenceDate: .nan) }
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    let values: [Any] = [date, Optional(date) as Any, [date], ["a": Period()], Period()]
    for value in values { #expect(ValueDescription.of(value).hasSuffix("with a date that is not a number")) }
    #expect(ValueDescription.of(Date(timeIntervalSinceReferenceDate: .infinity)).isEmpty == false)
    #expect(ValueDescription.of([1, 2]) == "[1, 2]" && ValueDescription.of("a") == "a")
  }
}
