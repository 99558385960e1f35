import Foundation
import Testing
import Trellis

/// Between a deletion and its save, fetches exclude the models that the save will delete.
@Suite struct PendingCascadeTests {
  /// A tree with three levels and another folder.
  private struct Tree {
    let home: StorePlace
    let context: ModelContext
    let root: Folder
    let other: Folder

    init(_ kind: StoreKind, isLoaded: Bool = true) throws {
      home = try StorePlace(kind, Folder.self)
      let maker = home.fresh()
      let folders = ["root", "a", "b", "c", "other"].map { Folder(name: $0) }
      for (child, parent) in [(1, 0), (2, 0), (3, 1)] { folders[child].parent = folders[parent] }
      for (name, folder) in [("a1", 1), ("a2", 1), ("b1", 2), ("c1", 3), ("o1", 4)] {
        let file = File(name: name)
        file.size = 1
        folders[folder].files.append(file)
      }
      maker.insert(folders[0])
      maker.insert(folders[4])
      try maker.save()
      context = isLoaded ? maker : home.fresh()
      let found = try context.fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.name)]))
      root = try #require(found.first { $0.name == "root" })
      other = try #require(found.first { $0.name == "other" })
    }

    func files() throws -> [String] {
      try context.fetch(FetchDescriptor<File>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    func folders() throws -> [String] {
      try context.fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    func file(_ name: String) throws -> File {
      var descriptor = FetchDescriptor<File>(predicate: #Predicate { $0.name == name })
      descriptor.includePendingChanges = false
      return try #require(try context.fetch(descriptor).first)
    }
  }

  private static let all = ["a1", "a2", "b1", "c1", "o1"]

  @Test(arguments: StoreKind.allCases, [true, false])
  func fetchesExcludeAllLevels(_ kind: StoreKind, _ isLoaded: Bool) throws {
    let tree = try Tree(kind, isLoaded: isLoaded)
    let context = tree.context
    context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    #expect(try tree.folders() == ["other"])
    #expect(try context.fetchCount(FetchDescriptor<File>()) == 1)
    #expect(try context.fetchIdentifiers(FetchDescriptor<Folder>()) == [tree.other.persistentModelID])
    #expect(try context.fetchCount(FetchDescriptor<File>(predicate: #Predicate { $0.name == "c1" })) == 0)
    #expect(try context.fetchCount(FetchDescriptor<File>(predicate: #Predicate { $0.folder?.name != "x" })) == 1)
    let id = try tree.file("c1").persistentModelID
    #expect(try context.fetch(FetchDescriptor<File>(predicate: #Predicate { $0.persistentModelID == id })).isEmpty)
    var page = FetchDescriptor<File>(sortBy: [SortDescriptor(\.folder?.name), SortDescriptor(\.name)])
    page.fetchLimit = 2
    #expect(try context.fetch(page).map(\.name) == ["o1"])
    #expect(try context.fetch(FetchDescriptor<File>(), batchSize: 2).map(\.name) == ["o1"])
    #expect(try context.aggregate(.sum(\File.size)) == 1)
    #expect(try context.values(of: \File.name) == ["o1"])
    var seen: [String] = []
    try context.enumerate(FetchDescriptor<File>(), allowEscapingMutations: true) { seen.append($0.name) }
    #expect(seen == ["o1"])
    // The store is unchanged before the save.
    var stored = FetchDescriptor<File>(sortBy: [SortDescriptor(\.name)])
    stored.includePendingChanges = false
    #expect(try context.fetch(stored).map(\.name) == Self.all)
    #expect(try context.fetchCount(stored) == 5)
    #expect(try tree.file("c1").isDeleted == false)
    #expect(context.deletedModelsArray.count == 1)
    try context.save()
    #expect(try tree.files() == ["o1"])
    #expect(try tree.home.fresh().fetchCount(FetchDescriptor<File>()) == 1)
  }

  @Test(arguments: StoreKind.allCases) func rollbackAndReinsertionRestoreThem(_ kind: StoreKind) throws {
    let tree = try Tree(kind)
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    tree.context.rollback()
    #expect(try tree.files() == Self.all)
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    tree.context.insert(tree.root)
    #expect(try tree.files() == Self.all)
    #expect(try tree.folders().count == 5)
    #expect(!tree.context.hasChanges)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try tree.context.transaction {
        tree.context.delete(tree.root)
        #expect(try tree.files() == ["o1"])
        throw Stop()
      }
    }
    #expect(try tree.files() == Self.all)
  }

  @Test(arguments: StoreKind.allCases) func modelsMovedToAnotherOwnerAreKept(_ kind: StoreKind) throws {
    let tree = try Tree(kind)
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    try tree.file("c1").folder = tree.other
    #expect(try tree.files() == ["c1", "o1"])
    tree.other.files.append(try tree.file("a2"))
    #expect(try tree.files() == ["a2", "c1", "o1"])
    try tree.context.save()
    let names = try tree.home.fresh().fetch(FetchDescriptor<File>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    #expect(names == ["a2", "c1", "o1"])
  }

  @Test(arguments: StoreKind.allCases) func deletingAllModelsOfAClassDeletesTheirMembers(_ kind: StoreKind) throws {
    let tree = try Tree(kind)
    tree.context.delete(tree.root)
    let a1 = try tree.file("a1")
    try tree.context.delete(model: File.self, where: #Predicate { $0.name != "c1" })
    #expect(tree.context.deletedModelsArray.count == 5)
    #expect(a1.isDeleted)
    let c1 = try tree.file("c1")
    #expect(!c1.isDeleted)
    c1.folder = tree.other
    try tree.context.save()
    #expect(try tree.home.fresh().fetch(FetchDescriptor<File>()).map(\.name) == ["c1"])
  }

  @Test(arguments: StoreKind.allCases) func furtherDeletionsAreAdded(_ kind: StoreKind) throws {
    let tree = try Tree(kind)
    let b = try #require(
      try tree.context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == "b" })).first)
    tree.context.delete(b)
    #expect(try tree.files() == ["a1", "a2", "c1", "o1"])
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    tree.context.delete(tree.other)
    #expect(try tree.files() == [])
    tree.context.insert(tree.root)
    #expect(try tree.files() == ["a1", "a2", "c1"])
  }

  @Test(arguments: [StoreKind.disk, .memory]) func concurrentSavesOfOtherContextsAreIncluded(_ kind: StoreKind) throws {
    let tree = try Tree(kind, isLoaded: false)
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    let other = tree.home.fresh()
    let found = try other.fetch(FetchDescriptor<Folder>())
    let (a, beside) = (found.first { $0.name == "a" }, found.first { $0.name == "other" })
    let file = try #require(a?.files.first { $0.name == "a1" })
    file.folder = beside
    a?.files.append(File(name: "a3"))
    try other.save()
    #expect(try tree.files() == ["a1", "o1"])
  }

  @Test(arguments: StoreKind.allCases) func insertionsOfADeletedOwnerAreExcluded(_ kind: StoreKind) throws {
    let tree = try Tree(kind)
    let a = try #require(
      try tree.context.fetch(FetchDescriptor<Folder>(predicate: #Predicate { $0.name == "a" })).first)
    a.files.append(File(name: "new"))
    #expect(try tree.files().contains("new"))
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    let dropped = Folder(name: "dropped")
    dropped.files = [File(name: "d1")]
    tree.context.insert(dropped)
    #expect(try tree.files() == ["d1", "o1"])
    tree.context.delete(dropped)
    #expect(try tree.files() == ["o1"])
    try tree.context.save()
    #expect(try tree.files() == ["o1"])
  }

  @MainActor @Test func observedResultsAreUpdated() throws {
    let tree = try Tree(.memory)
    let observer = try ResultsObserver<File, Never>(
      sortBy: [SortDescriptor(\.name)], modelContext: tree.context)
    #expect(observer.results.map(\.name) == Self.all)
    tree.context.delete(tree.root)
    observer.update()
    #expect(observer.results.map(\.name) == ["o1"])
    tree.context.rollback()
    observer.update()
    #expect(observer.results.map(\.name) == Self.all)
    let sections = try ResultsObserver(
      sortBy: [SortDescriptor(\.name)], sectionBy: \File.name, modelContext: tree.context)
    tree.context.delete(tree.root)
    sections.update()
    #expect(sections.sections?.count == 1)
    tree.context.insert(tree.root)
    sections.update()
    #expect(sections.sections?.count == 5)
  }

  @MainActor @Test func undoRestoresThem() throws {
    let tree = try Tree(.memory)
    let manager = UndoManager()
    tree.context.undoManager = manager
    tree.context.delete(tree.root)
    #expect(try tree.files() == ["o1"])
    tree.context.processPendingChanges()
    #expect(try tree.files() == ["o1"])
    manager.undo()
    #expect(try tree.files() == Self.all)
    #expect(try tree.folders().count == 5)
  }
}
