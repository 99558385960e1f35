import Foundation
import SwiftData

/// Imports the files of suppliers in the background. Each importer has its own context.
@ModelActor
actor StockImporter {
  private var imported = 0

  /// Adds the lines of a supplier's file. Known materials get the new quantity.
  func add(_ lines: [StockLine], from name: String, on date: Date) throws -> Int {
    let supplier = try self.supplier(named: name)
    let delivery = Delivery(arrivedAt: date, supplier: supplier)
    modelContext.insert(delivery)
    let codes = lines.map(\.code)
    let known = try modelContext.fetch(
      FetchDescriptor<Material>(predicate: #Predicate { codes.contains($0.code) }))
    let materials = Dictionary(uniqueKeysWithValues: known.map { ($0.code, $0) })
    for line in lines {
      let material = materials[line.code] ?? Material(code: line.code, name: line.name, supplier: supplier)
      material.quantity += line.quantity
      modelContext.insert(material)
      modelContext.insert(DeliveryLine(quantity: line.quantity, of: material, in: delivery))
      imported += 1
    }
    try modelContext.save()
    return imported
  }

  private func supplier(named name: String) throws -> Supplier {
    let descriptor = FetchDescriptor<Supplier>(predicate: #Predicate { $0.name == name })
    if let supplier = try modelContext.fetch(descriptor).first { return supplier }
    let supplier = Supplier(name: name)
    modelContext.insert(supplier)
    return supplier
  }
}

/// Changes tools by their identifiers.
@ModelActor
actor ToolKeeper {
  func label(of tool: PersistentIdentifier) -> String? {
    self[tool, as: Tool.self]?.label
  }

  func watts(of tool: PersistentIdentifier) -> Int? {
    self[tool, as: PowerTool.self]?.watts
  }

  func markBroken(_ tools: [PersistentIdentifier]) throws {
    for tool in tools { self[tool, as: Tool.self]?.condition = .broken }
    try modelContext.save()
  }

  func identifiers(olderThan date: Date) throws -> [PersistentIdentifier] {
    let descriptor = FetchDescriptor<Tool>(
      predicate: #Predicate { $0.boughtAt < date }, sortBy: [SortDescriptor(\.number)])
    return try modelContext.fetchIdentifiers(descriptor)
  }

  /// Closes loans that should have ended, and returns their number.
  func closeLoans(before date: Date) throws -> Int {
    var closed = 0
    for loan in try modelContext.fetch(FetchDescriptor<Loan>()) where loan.end == nil && loan.start < date {
      loan.end = date
      loan.state = .back
      closed += 1
    }
    if modelContext.hasChanges { try modelContext.save() }
    return closed
  }
}

/// An actor whose members are written by hand.
actor Accountant: ModelActor {
  nonisolated let modelContainer: ModelContainer
  nonisolated let modelExecutor: any ModelExecutor

  init(modelContainer: ModelContainer) {
    self.modelContainer = modelContainer
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
  }

  func total(of state: BillState) throws -> Decimal {
    let bills = try modelContext.fetch(FetchDescriptor<Bill>(predicate: #Predicate { $0.state == state }))
    return bills.reduce(0) { $0 + $1.total }
  }

  func remind(before date: Date) throws -> [String] {
    let open = BillState.open
    let late = try modelContext.fetch(
      FetchDescriptor<Bill>(
        predicate: #Predicate { $0.state == open && $0.issuedAt < date }, sortBy: [SortDescriptor(\.number)]))
    for bill in late { bill.state = .reminded }
    try modelContext.save()
    return late.map(\.number)
  }
}
