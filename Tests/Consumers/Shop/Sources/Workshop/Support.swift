import Foundation
import SwiftData

/// The checks of this program. All of them run on the main actor.
@MainActor
final class Checks {
  private var failures: [String] = []
  private var count = 0
  private var section = 0
  private(set) var predicates = 0
  private(set) var discriminating = 0

  func check(_ name: String, _ condition: Bool, _ details: @autoclosure () -> String = "") {
    count += 1
    section += 1
    if !condition { failures.append("\(name) \(details())") }
  }

  func check<T: Equatable>(_ name: String, _ value: T, is expected: T) {
    check(name, value == expected, "is \(value), not \(expected)")
  }

  func check<T: PersistentModel>(
    _ name: String, _ predicate: Predicate<T>, in context: ModelContext, _ expected: (T) -> Bool
  ) {
    predicates += 1
    do {
      let all = try context.fetch(FetchDescriptor<T>())
      let wanted = all.filter(expected)
      let found = try context.fetch(FetchDescriptor(predicate: predicate))
      let difference = Set(found).symmetricDifference(wanted)
      check(name, difference.isEmpty && found.count == wanted.count, "found \(found.count), not \(wanted.count)")
      let count = try context.fetchCount(FetchDescriptor(predicate: predicate))
      check("count of \(name)", count, is: wanted.count)
      if wanted.count > 0 && wanted.count < all.count { discriminating += 1 }
    } catch {
      check(name, false, "threw \(error)")
    }
  }

  func end(_ title: String) {
    print("\(title): \(section) checks")
    section = 0
  }

  var isSuccess: Bool {
    for failure in failures { print("failed: \(failure)") }
    print(failures.isEmpty ? "Workshop: ok, \(count) checks" : "Workshop: \(failures.count) of \(count) failed")
    return failures.isEmpty
  }
}

/// A model whose values can be recorded for a comparison.
protocol Recordable: PersistentModel {
  var record: [Any?] { get }
}

extension Recordable {
  static func records(in context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Self>()).map { model in
      "\(self) " + model.record.map(Self.text).joined(separator: ", ")
    }.sorted()
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let table as [String: String]: table.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
    case let value?: "\(value)"
    case nil: "nil"
    }
  }
}

extension Battery: Recordable {
  var record: [Any?] { [serial, cycles, tool?.number] }
}

extension Loan: Recordable {
  var record: [Any?] { [start, end, state, tool?.label, borrower?.card] }
}

extension Room: Recordable {
  var record: [Any?] { [name, size, benches.map(\.code).sorted(), courses.map(\.title).sorted()] }
}

extension Bench: Recordable {
  var record: [Any?] { [code, isFree, sockets, room?.name, tools.map(\.label).sorted()] }
}

extension CordlessTool: Recordable {
  var record: [Any?] {
    [number, name, boughtAt, price, condition, watts, volts, lastTestedAt, platform, batteries.map(\.serial).sorted()]
  }
}

extension HandTool: Recordable {
  var record: [Any?] {
    [number, name, boughtAt, price, condition, manual?.base64EncodedString(), weight, materials, jobs.count]
  }
}

extension Member: Recordable {
  var record: [Any?] {
    [
      id, name, email, phones, joinedAt, card, level, sponsor?.card, sponsored.map(\.card).sorted(), loans.count,
      bookings.count, projects.map(\.name).sorted(), helpedProjects.map(\.name).sorted(), bills.count,
    ]
  }
}

extension Instructor: Recordable {
  var record: [Any?] { [id, name, email, hourlyRate, subjects, courses.map(\.title).sorted(), certificates.count] }
}

extension Course: Recordable {
  var record: [Any?] { [title, start, seats, instructor?.name, room?.name, bookings.map(\.bookedAt).sorted()] }
}

extension Bill: Recordable {
  var record: [Any?] { [number, issuedAt, state, member?.card, total, lines.map(\.text).sorted()] }
}

extension RepairJob: Recordable {
  var record: [Any?] {
    [title, due, isDone, priority, fault, customer, broken?.number, tools.map(\.number).sorted(), log.count]
  }
}

extension BuildJob: Recordable {
  var record: [Any?] {
    [title, due, isDone, priority, joints, marks, project?.name, checklist?.items?.map(\.text).sorted()]
  }
}

extension LogEntry: Recordable {
  var record: [Any?] { [text, writtenAt, minutes, job?.title] }
}

extension Project: Recordable {
  var record: [Any?] {
    [
      name, startedAt, budget, plan, owner?.card, helpers.map(\.card).sorted(), parts.map(\.name).sorted(),
      jobs.map(\.title).sorted(), steps.map(\.number).sorted(),
    ]
  }
}

extension Step: Recordable {
  var record: [Any?] { [number, text, project?.name, previous?.number, next?.number] }
}

extension Part: Recordable {
  var record: [Any?] { [name, size, quantity, project?.name, material?.code, finish?.name, finish?.colour] }
}

extension Finish: Recordable {
  var record: [Any?] { [name, colour, gloss, parts.map(\.name).sorted()] }
}

extension Material: Recordable {
  var record: [Any?] { [code, name, quantity, reserved, unit, supplier?.name, deliveries.map(\.quantity).sorted()] }
}

extension Supplier: Recordable {
  var record: [Any?] { [name, website, isPreferred, materials.map(\.code).sorted(), deliveries.count] }
}

/// Returns all values in a store.
func records(in context: ModelContext) throws -> [String] {
  let types: [any Recordable.Type] = [
    Battery.self, Loan.self, Room.self, Bench.self, CordlessTool.self, HandTool.self, Member.self, Instructor.self,
    Course.self, Bill.self, RepairJob.self, BuildJob.self, LogEntry.self, Project.self, Step.self, Part.self,
    Finish.self, Material.self, Supplier.self,
  ]
  return try types.flatMap { try $0.records(in: context) }
}

extension ModelContext {
  func all<T: PersistentModel>(_ type: T.Type = T.self, by order: SortDescriptor<T>...) throws -> [T] {
    try fetch(FetchDescriptor<T>(sortBy: order))
  }

  func count<T: PersistentModel>(_ type: T.Type) throws -> Int { try fetchCount(FetchDescriptor<T>()) }
}
