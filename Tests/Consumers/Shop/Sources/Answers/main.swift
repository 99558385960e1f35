import Foundation
import Trellis

// Guarantees that programs rely on. Each printed line is a verified result.

struct WrongAnswer: Error {}

func check(_ answer: String, _ isRight: @autoclosure () throws -> Bool) throws {
  guard try isRight() else {
    print("WRONG \(answer)")
    throw WrongAnswer()
  }
  print("right \(answer)")
}

/// The error of a save that must fail.
func failure(of context: ModelContext) throws -> SwiftDataError {
  do {
    try context.save()
  } catch let error as SwiftDataError {
    return error
  }
  print("WRONG a save passed")
  throw WrongAnswer()
}

let folder = FileManager.default.temporaryDirectory.appending(path: "answers-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
ModelIssue.setHandler { _ in }

func configuration(_ name: String) -> ModelConfiguration {
  ModelConfiguration(name, url: folder.appending(path: "\(name).store"))
}

func library(_ name: String) throws -> ModelContainer {
  let container = try ModelContainer(for: Author.self, configurations: configuration(name))
  let context = ModelContext(container)
  for name in ["Ada", "Bo"] {
    let author = Author(name: name)
    author.books = [Book(title: "\(name) 1", shelf: "b"), Book(title: "\(name) 2", shelf: "a")]
    context.insert(author)
  }
  try context.save()
  return container
}

let byName = FetchDescriptor<Author>(sortBy: [SortDescriptor(\.name)])

// A1
do {
  let container = try library("lifetime")
  func load() throws -> [Author] { try ModelContext(container).fetch(byName) }
  let authors = try load()
  try check("A1 models read their relationships after their context is released", authors.map(\.books.count) == [2, 2])
  try check("A1 so does a filter", try load().filter { !$0.books.isEmpty }.count == 2)
  authors[0].name = "Ada Lovelace"
  authors[1].books[0].title = "changed"
  try authors[0].modelContext?.save()
  let saved = try ModelContext(container).fetch(FetchDescriptor<Book>()).map(\.title)
  try check("A1 and save", try load()[0].name == "Ada Lovelace" && saved.contains("changed"))
  weak var held: ModelContainer?
  do {
    let other = try library("released")
    held = other
    let context = ModelContext(other)
    let author = try context.fetch(byName)[0]
    author.name = "not saved"
    author.books.append(Book(title: "not saved", shelf: "c"))
  }
  try check("A1 nothing is left of a context and its models", held == nil)
}

// A2
do {
  let container = try library("unknown")
  let context = ModelContext(container)
  context.insert(Author(name: "Cy"))
  context.insert(Tally())
  let error = try failure(of: context)
  let isNamed = error == .unknownSchema && "\(error)".contains("Tally")
  try check("A2 a class that the container does not have is named", isNamed)
  try check("A2 and nothing is written", try ModelContext(container).fetchCount(byName) == 2)
}

// A3
do {
  let file = folder.appending(path: "tallies.store")
  let tallies = ModelConfiguration("tallies", schema: Schema([Tally.self]), url: file)
  _ = try ModelContainer(for: Tally.self, configurations: tallies)
  let readOnly = ModelConfiguration(
    "tallies", schema: Schema([Tally.self]), url: folder.appending(path: "tallies.store"), allowsSave: false)
  let authors = ModelConfiguration(
    "authors", schema: Schema([Author.self]), url: folder.appending(path: "authors.store"))
  let container = try ModelContainer(for: Author.self, Tally.self, configurations: authors, readOnly)
  let context = ModelContext(container)
  context.insert(Author(name: "Ada"))
  context.insert(Tally())
  _ = try failure(of: context)
  try check("A3 no store has saved where one is read-only", try ModelContext(container).fetchCount(byName) == 0)
}

// A4
do {
  let container = try library("replaced")
  let context = ModelContext(container)
  try FileManager.default.removeItem(at: folder.appending(path: "replaced.store"))
  try await Task.sleep(for: .seconds(1.1))
  context.insert(Author(name: "Cy"))
  let error = try failure(of: context)
  try check("A4 a file that was deleted is noticed", error.storeProblem == .replaced && context.hasChanges)
}

// A5
actor Diary {
  let context: ModelContext
  init(_ container: ModelContainer) { context = ModelContext(container) }
  func note(_ name: String) {
    context.autosaveEnabled = true
    context.autosavePolicy.delay = .milliseconds(20)
    context.insert(Author(name: name))
  }
}

do {
  let container = try library("autosave")
  let diary = Diary(container)
  await diary.note("Cy")
  for _ in 0..<200 where try ModelContext(container).fetchCount(byName) < 3 {
    try await Task.sleep(for: .milliseconds(20))
  }
  try check("A5 a context saves by itself in its actor", try ModelContext(container).fetchCount(byName) == 3)
  func leave() {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.insert(Author(name: "Di"))
  }
  leave()
  try check("A5 and when it is released", try ModelContext(container).fetchCount(byName) == 4)
  withExtendedLifetime(diary) {}
}

// A6
do {
  let context = ModelContext(try library("cascades"))
  context.delete(try context.fetch(byName)[0])
  let books = try context.fetch(FetchDescriptor<Book>())
  try check("A6 what a save will delete is hidden", books.count == 2 && books.allSatisfy { $0.author?.name == "Bo" })
  context.rollback()
  try check("A6 until it is rolled back", try context.fetchCount(FetchDescriptor<Book>()) == 4)
}

// A7
do {
  let observer = try ResultsObserver(
    sortBy: [SortDescriptor(\Book.title)], sectionBy: \.shelf, modelContext: ModelContext(try library("sections")))
  try check("A7 sections are contiguous", observer.sections?.sectionTitles == ["a", "b"])
}

// A8
do {
  let shared = ModelConfiguration("shared", groupContainer: .identifier("group.answers"))
  try check("A8 programs of a group share a folder", shared.url.path.contains("group.answers"))
  try check("A8 and others do not", !ModelConfiguration("shared").url.path.contains("group.answers"))
}

// A9
do {
  let configuration = UnreadableStore.Configuration()
  let container = try ModelContainer(for: Author.self, configurations: configuration)
  let first = ModelContext(container)
  let author = Author(name: "Ada")
  author.books = [Book(title: "1", shelf: "a")]
  first.insert(author)
  try first.save()
  let context = ModelContext(container)
  let read = try context.fetch(FetchDescriptor<Author>())[0]
  configuration.fault.isOn = true
  read.name = "\(read.books.count) books"
  configuration.fault.isOn = false
  let error = try failure(of: context)
  try check("A9 a failed read is named", error == .failedRead && error.details.first?.property == "books")
  read.name = "\(read.books.count) book"
  try context.save()
  try check("A9 and read again", try ModelContext(container).fetch(FetchDescriptor<Author>())[0].name == "1 book")
}

// G
do {
  var configuration = configuration("tally")
  configuration.conflictPolicy = .fail
  let container = try ModelContainer(for: Tally.self, configurations: configuration)
  let context = ModelContext(container)
  context.insert(Tally())
  try context.save()
  let (one, two) = (ModelContext(container), ModelContext(container))
  let (mine, yours) = (try one.fetch(FetchDescriptor<Tally>())[0], try two.fetch(FetchDescriptor<Tally>())[0])
  mine.count += 1
  yours.count += 1
  try one.save()
  let error = try failure(of: two)
  try check(
    "G the second change of a value is refused",
    error == .saveConflict && error.conflicts.first?.property == "count" && error.conflicts.first?.stored as? Int == 1)
  let tasks = 8
  try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<tasks {
      group.addTask {
        for _ in 0..<25 {
          while true {
            let context = ModelContext(container)
            do {
              try context.fetch(FetchDescriptor<Tally>())[0].count += 1
              try context.save()
              break
            } catch SwiftDataError.saveConflict {}
          }
        }
      }
    }
    try await group.waitForAll()
  }
  let count = try ModelContext(container).fetch(FetchDescriptor<Tally>())[0].count
  try check("G no increment is lost", count == 1 + tasks * 25)
}
