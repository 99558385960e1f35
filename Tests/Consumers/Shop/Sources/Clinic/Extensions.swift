import Foundation
import SwiftData

/// Something that the laboratory or the auditors find by its identifier.
protocol Traceable {
  var id: UUID { get }
}

extension Traceable {
  var traceCode: String { String(id.uuidString.suffix(4)) }
}

extension ClinicSchemaV6.LabOrder: Traceable {}
extension ClinicSchemaV6.AuditEntry: Traceable {}

/// Something on the calendar.
protocol Scheduled {
  var start: Date { get }
  var duration: Int { get }
}

extension Scheduled {
  var end: Date { start.addingTimeInterval(Double(duration) * 60) }

  func overlaps(_ other: some Scheduled) -> Bool { start < other.end && other.start < end }
}

extension Visit: Scheduled {}

extension Patient {
  static func find(_ number: Int, in context: ModelContext) throws -> Patient? {
    var descriptor = FetchDescriptor<Patient>(predicate: #Predicate { $0.number == number })
    descriptor.fetchLimit = 1
    return try context.fetch(descriptor).first
  }

  var nextVisit: Visit? {
    visits.filter { !$0.status.isOver }.min { $0.start < $1.start }
  }
}

extension Invoice {
  /// Invoices that were sent before a day and are not paid.
  static func overdue(on day: Date) -> Predicate<Invoice> {
    let sent = InvoiceState.sent
    return #Predicate<Invoice> { $0.state == sent && $0.issuedAt < day }
  }
}

extension Bed {
  var isOccupied: Bool { admission != nil && admission?.dischargedAt == nil }
}

func count<Model: PersistentModel>(_ type: Model.Type, in context: ModelContext) throws -> Int {
  try context.fetchCount(FetchDescriptor<Model>())
}

func all<Model: PersistentModel>(
  _ type: Model.Type, sortBy order: [SortDescriptor<Model>] = [], in context: ModelContext
) throws -> [Model] {
  try context.fetch(FetchDescriptor<Model>(sortBy: order))
}

extension ModelContext {
  func only<Model: PersistentModel>(_ predicate: Predicate<Model>) throws -> Model? {
    let found = try fetch(FetchDescriptor(predicate: predicate))
    return found.count == 1 ? found[0] : nil
  }
}
