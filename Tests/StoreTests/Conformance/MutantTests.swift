import StoreConformance
import TestSupport
import Testing
import Trellis

/// The suite must detect each fault with the related check, and accept a store without fault.
@Suite struct MutantTests {
  private static func suite(_ fault: Fault?) -> StoreConformance<MutantConfiguration> {
    StoreConformance(breakSaves: { $0.place.isBroken = $1 }) { MutantConfiguration(fault) }
  }

  private static func check(_ name: String) throws -> ConformanceCheck {
    try #require(ConformanceCheck.all.first { $0.name == name }, "there is no check '\(name)'")
  }

  /// Without the fault, all checks pass.
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 2, "checks of a store without fault"))
  func oneWithoutFaultConforms(check: ConformanceCheck) async throws {
    try await Self.suite(nil).verify(check)
  }

  /// The check that must fail for each fault, and its message.
  private static let expectations: [(Fault, check: String, says: String)] = [
    (.forgetsDeletions, "deletes what is deleted and nothing else", "fetch after a deletion: titles"),
    (.forgetsUpdates, "writes changes and leaves other values alone", "seen:     [\"Draft\", \"Other\"]"),
    (.forgetsErasing, "erases everything and goes on", "fetchCount after erase"),
    (.forgetsPartOfALargeSave, "keeps a thousand models apart", "fetch of a thousand: pages"),
    (
      .savesHalfWhenItFails, "leaves everything as it was when a save fails",
      "fetch after a save that failed: models"
    ),
    (
      .saysItSavedWhenItFailed, "leaves everything as it was when a save fails",
      "save while saves fail: whether it throws"
    ),
    (
      .givesNoIdentifiers, "gives inserted models permanent identifiers of its own",
      "gave ConformanceBook"
    ),
    (
      .mixesIdentifiersUp, "gives inserted models permanent identifiers of its own",
      "fetch in another context: identifiers"
    ),
    (
      .hasAnotherIdentifier, "answers each call as the contract says",
      "for its own identifier, 'another'"
    ),
    (
      .limitsBeforeItFilters, "fetches in every combination of filter, order, limit and offset",
      "where pages >= 7, by pages, limit 1"
    ),
    (.ignoresTheOffset, "pages without overlap or gap", "ten pages of 3"),
    (
      .ignoresTheOrder, "fetches in every combination of filter, order, limit and offset",
      "of everything, by pages, limit none"
    ),
    (
      .ignoresTheSecondKey, "fetches in every combination of filter, order, limit and offset",
      "by price, where nil comes first, then pages"
    ),
    (.ignoresTheFilter, "treats nil as Swift does", "fetch where price != 4"),
    (.findsOneTwice, "answers each call as the contract says", "twice"),
    (.returnsStaleRows, "writes the last of many changes", "fetch after update 1: title"),
    (
      .losesSubclasses, "finds every class by the class they inherit from", "fetch by base class: classes"
    ),
    (
      .dropsReferences, "resolves references among models inserted together",
      "fetch: the authors of two books"
    ),
    (.countsWithoutFilter, "counts in every combination", "fetchCount where pages >= 7"),
    (.identifiesWithoutOrder, "identifies in every combination", "fetchIdentifiers of everything, by pages"),
    (.identifiesWithoutFilter, "identifies in every combination", "fetchIdentifiers where pages >= 7"),
    (
      .hasStaleSnapshotsAtHand, "has at hand for contexts only what is stored",
      "model(for:) after another context's save"
    ),
    (
      .keepsDeletedSnapshotsAtHand, "answers each call as the contract says",
      "nothing of models that are gone"
    ),
    (.roundsDates, "returns dates between two seconds as they were saved", "dates between two seconds"),
    (.roundsIntegers, "returns integers as they were saved", "fetch of inserted integers"),
    (.normalisesText, "returns text in other normal forms as they were saved", "text in other normal forms"),
    (.cutsText, "returns a megabyte of text as they were saved", "expected: [1050000]"),
    (
      .takesEmptyForNil, "returns optional text, where nil is not empty as they were saved",
      "optional text, where nil is not empty"
    ),
    (
      .takesNilForEmpty, "returns optional text, where nil is not empty as they were saved",
      "optional text, where nil is not empty"
    ),
  ]

  @Test(arguments: expectations.map(\.0))
  func eachFaultIsNamed(fault: Fault) throws {
    let wanted = try #require(Self.expectations.first { $0.0 == fault })
    let check = try Self.check(wanted.check)
    let result = Self.suite(fault).result(of: check)
    #expect(result.failure?.description.contains(wanted.says) == true, "\(result)")
    #expect(result.failure?.contract == check.contract)
  }

  @Test func everyFaultHasAnExpectation() {
    #expect(Set(Self.expectations.map(\.0)) == Set(Fault.allCases))
  }

  // MARK: A store of snapshots

  private static let drawerExpectations: [(DrawerConfiguration.Fault, check: String, says: String)] = [
    (.dropsTheOrderOfLists, "keeps the order of ordered lists", "fetch of an ordered list, inserted"),
    (.dropsLists, "keeps a graph saved at once", "fetch of many-to-many lists, in another context"),
    (
      .dropsReferencesToItsOwnKind, "resolves references that go round in circles",
      "a circle of to-one references"
    ),
    (
      .dropsPropertiesOfSubclasses, "finds a class by itself with the values of every level",
      "fetch by a class in the middle: its values"
    ),
    (
      .keepsOldReferencesWhenChanged, "resolves references of changed models to new ones",
      "fetch after an update that refers to an inserted model"
    ),
    (
      .savesHalfWhenItFails, "leaves everything as it was when a save fails",
      "fetch after a save that failed: models"
    ),
    (
      .saysItKeepsUniqueValuesApart, "gives one model the values of a new one with its unique value",
      "fetch after a unique value came again: names"
    ),
    (.saysItSkips, "counts in every combination", "fetchCount of everything, in no order, limit none, offset 2"),
  ]

  @Test(arguments: DrawerConfiguration.Fault.allCases)
  func eachFaultOfADrawerIsNamed(fault: DrawerConfiguration.Fault) throws {
    let wanted = try #require(Self.drawerExpectations.first { $0.0 == fault })
    let suite = StoreConformance(breakSaves: { $0.drawer.isStuck = $1 }) { DrawerConfiguration(fault) }
    let result = suite.result(of: try Self.check(wanted.check))
    #expect(result.failure?.description.contains(wanted.says) == true, "\(result)")
  }
}
