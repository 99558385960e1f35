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
  func aStoreWithoutFaultsConforms(check: ConformanceCheck) async throws {
    try await Self.suite(nil).verify(check)
  }

  /// The check that must fail for each fault, and its message.
  private static let expectations: [(Fault, check: String, says: String)] = [
    (.forgetsDeletions, "deletes only deleted models", "fetch after a deletion: titles"),
    (.forgetsUpdates, "writes changes and preserves other values", "seen:     [\"Draft\", \"Other\"]"),
    (.forgetsErasing, "erases everything and remains usable", "fetchCount after erase"),
    (.forgetsPartOfALargeSave, "distinguishes a thousand models", "fetch of a thousand models: pages"),
    (
      .savesHalfWhenItFails, "remains unchanged when a save fails",
      "fetch after a failed save: models"
    ),
    (
      .saysItSavedWhenItFailed, "remains unchanged when a save fails",
      "save that must fail: throws an error"
    ),
    (
      .givesNoIdentifiers, "assigns permanent identifiers to inserted models",
      "returned no permanent identifier for ConformanceBook"
    ),
    (
      .mixesIdentifiersUp, "assigns permanent identifiers to inserted models",
      "fetch in a second context: identifiers"
    ),
    (
      .hasAnotherIdentifier, "returns results that satisfy the contract",
      "the store's own identifier, 'another'"
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
      "by price (nil first), then pages"
    ),
    (.ignoresTheFilter, "treats nil as Swift does", "fetch where price != 4"),
    (.findsOneTwice, "returns results that satisfy the contract", "twice"),
    (.returnsStaleRows, "writes the last of many changes", "fetch after update 1: title"),
    (
      .losesSubclasses, "finds all subclasses through the base class", "fetch by base class: classes"
    ),
    (
      .dropsReferences, "resolves references among models inserted together",
      "fetch: the authors of two books"
    ),
    (.countsWithoutFilter, "counts in every combination", "fetchCount where pages >= 7"),
    (.identifiesWithoutOrder, "fetches identifiers in every combination", "fetchIdentifiers of everything, by pages"),
    (.identifiesWithoutFilter, "fetches identifiers in every combination", "fetchIdentifiers where pages >= 7"),
    (
      .hasStaleSnapshotsAtHand, "caches only stored values",
      "model(for:) after a save in a second context"
    ),
    (
      .keepsDeletedSnapshotsAtHand, "returns results that satisfy the contract",
      "no snapshots for deleted models"
    ),
    (.roundsDates, "returns dates with fractional seconds unchanged", "dates with fractional seconds"),
    (.roundsIntegers, "returns integers unchanged", "fetch of inserted integers"),
    (.normalisesText, "returns text in other normal forms unchanged", "text in other normal forms"),
    (.cutsText, "returns a megabyte of text unchanged", "expected: [1050000]"),
    (
      .takesEmptyForNil, "returns optional text (nil and empty) unchanged",
      "optional text (nil and empty)"
    ),
    (
      .takesNilForEmpty, "returns optional text (nil and empty) unchanged",
      "optional text (nil and empty)"
    ),
  ]

  @Test(arguments: expectations.map(\.0))
  func everyFaultIsDetected(fault: Fault) throws {
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
    (.dropsLists, "keeps a graph saved at once", "fetch of many-to-many lists, in a second context"),
    (
      .dropsReferencesToItsOwnKind, "resolves circular references",
      "a circle of to-one references"
    ),
    (
      .dropsPropertiesOfSubclasses, "finds a single class with all inherited values",
      "fetch by intermediate class: values"
    ),
    (
      .keepsOldReferencesWhenChanged, "resolves references from changed models to new models",
      "fetch after an update that refers to an inserted model"
    ),
    (
      .savesHalfWhenItFails, "remains unchanged when a save fails",
      "fetch after a failed save: models"
    ),
    (
      .saysItKeepsUniqueValuesApart, "updates the stored model if a new model has an equal unique value",
      "fetch after saving an existing unique value: names"
    ),
    (.saysItSkips, "counts in every combination", "fetchCount of everything, unordered, limit none, offset 2"),
  ]

  @Test(arguments: DrawerConfiguration.Fault.allCases)
  func everyFaultOfASnapshotStoreIsDetected(fault: DrawerConfiguration.Fault) throws {
    let wanted = try #require(Self.drawerExpectations.first { $0.0 == fault })
    let suite = StoreConformance(breakSaves: { $0.drawer.isStuck = $1 }) { DrawerConfiguration(fault) }
    let result = suite.result(of: try Self.check(wanted.check))
    #expect(result.failure?.description.contains(wanted.says) == true, "\(result)")
  }
}
