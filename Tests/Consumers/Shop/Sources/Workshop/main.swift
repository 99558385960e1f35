import Foundation
import SwiftData

func openWorkshop(at url: URL) throws -> ModelContainer {
  try ModelContainer(
    for: Tool.self, PowerTool.self, CordlessTool.self, HandTool.self, Battery.self, Loan.self, Room.self,
    Bench.self, Person.self, Member.self, Instructor.self, Certificate.self, Course.self, Booking.self, Bill.self,
    BillLine.self, Job.self, RepairJob.self, BuildJob.self, LogEntry.self, Checklist.self, ChecklistItem.self,
    Project.self, Step.self, Part.self, Finish.self, Material.self, Supplier.self, Delivery.self, DeliveryLine.self,
    configurations: ModelConfiguration(url: url))
}

@MainActor
func create(at url: URL, _ checks: Checks) throws {
  var before: [String] = []
  do {
    let container = try openWorkshop(at: url)
    let context = container.mainContext
    context.autosaveEnabled = false
    try furnish(context)
    try context.save()
    before = try records(in: context)
    checks.check("everything is saved", !container.mainContext.hasChanges)
  }
  let context = ModelContext(try openWorkshop(at: url))
  let after = try records(in: context)
  checks.check("values", after == before, "\(zip(after, before).first { $0 != $1 } ?? ("", ""))")
  checks.check("tools", try context.count(Tool.self), is: 20)
  checks.check("power tools", try context.count(PowerTool.self), is: 12)
  checks.check("cordless tools", try context.count(CordlessTool.self), is: 4)
  checks.check("people", try context.count(Person.self), is: 10)
  checks.check("jobs", try context.count(Job.self), is: 11)

  let tools = try context.all(Tool.self, by: SortDescriptor(\.number))
  checks.check(
    "labels", tools.prefix(4).map(\.label),
    is: [
      "0 Chisel 0", "1 Saw 1 (100 W)", "2 Sander 2 (-1 W)", "3 Drill 3 (400 W)",
    ])
  checks.check(
    "classes", tools.prefix(5).map { "\(type(of: $0))" },
    is: [
      "HandTool", "PowerTool", "PowerTool", "CordlessTool", "Tool",
    ])
  checks.check("age", tools[3].age(on: midnight(0)), is: 300)
  let serials = (tools[3] as? CordlessTool)?.batteries.map(\.serial).sorted()
  checks.check("serials", serials, is: [UInt64.max - 32, UInt64.max - 31, UInt64.max - 30])
  checks.check("price", tools[7].price, is: Decimal(string: "86.45")!)
  checks.check("manual", tools[5].manual, is: Data(repeating: 0xA5, count: 1_500))
  let finishes = try context.all(Finish.self, by: SortDescriptor(\.name))
  checks.check(
    "colours", finishes.map(\.colour),
    is: [
      Colour(red: 181, green: 101, blue: 29), Colour(red: 0, green: 255, blue: 128), nil,
    ])
  let builds = try context.all(BuildJob.self, by: SortDescriptor(\.priority))
  checks.check("joints", builds[3].joints, is: [.dovetail, .glue(minutes: 90), .screws(count: 8, length: 4.5)])
  checks.check("estimates", builds.map(\.estimate), is: [60, 60, 120, 180, 60])
  let repair = try context.all(RepairJob.self, by: SortDescriptor(\.title)).first
  checks.check("title of a subclass", repair?.title, is: "Repair of Chisel 0")
  checks.check("estimate of a subclass", repair?.estimate, is: 55)
  let steps = try context.all(Step.self).filter { $0.previous == nil }
  checks.check("chains", steps.allSatisfy { $0.next?.next?.number == 3 && $0.next?.next?.next == nil })
}

@MainActor
func search(at url: URL, _ checks: Checks) throws {
  let context = ModelContext(try openWorkshop(at: url))
  try checkTools(in: context, checks)
  checkPeople(in: context, checks)
  checkJobs(in: context, checks)
  let batches = try context.fetch(FetchDescriptor<Tool>(sortBy: [SortDescriptor(\.number)]), batchSize: 6)
  checks.check("batches", batches.map(\.number), is: Array(0..<20))
}

@MainActor
func workInBackground(at url: URL, _ checks: Checks) async throws {
  let container = try openWorkshop(at: url)
  let files: [(String, [StockLine])] = (0..<4).map { file in
    let lines = (0..<25).map { StockLine(code: "S\(file)-\($0)", name: "Item \($0)", quantity: Double($0) / 4) }
    return ("Supplier \(file)", lines)
  }
  let imported = try await withThrowingTaskGroup(of: Int.self) { group in
    for (name, lines) in files {
      group.addTask {
        let importer = StockImporter(modelContainer: container)
        return try await importer.add(lines, from: name, on: midnight(1))
      }
    }
    var sum = 0
    for try await count in group { sum += count }
    return sum
  }
  checks.check("imported lines", imported, is: 100)
  let again = StockImporter(modelContainer: container)
  let more = try await again.add([StockLine(code: "OAK", name: "Oak", quantity: 7.5)], from: "Sawmill", on: midnight(2))
  checks.check("one more line", more, is: 1)

  let context = ModelContext(container)
  let materials = try context.all(Material.self, by: SortDescriptor(\.code))
  checks.check("materials", materials.count, is: 102)
  checks.check("quantity of oak", materials.first { $0.code == "OAK" }?.quantity, is: 20)
  checks.check("suppliers", try context.all(Supplier.self).map(\.materials.count).sorted(), is: [2, 25, 25, 25, 25])
  checks.check("deliveries", try context.all(Delivery.self).map(\.lines.count).sorted(), is: [1, 25, 25, 25, 25])

  let keeper = ToolKeeper(modelContainer: container)
  let tools = try context.all(Tool.self, by: SortDescriptor(\.number))
  let identifiers = tools.map(\.persistentModelID)
  checks.check("label", await keeper.label(of: identifiers[1]), is: "1 Saw 1 (100 W)")
  checks.check("watts of a chisel", await keeper.watts(of: identifiers[0]), is: nil)
  checks.check("watts of a drill", await keeper.watts(of: identifiers[3]), is: 400)
  let old = try await keeper.identifiers(olderThan: midnight(-1_700))
  checks.check("old tools", old, is: Array(identifiers.suffix(2)))
  try await keeper.markBroken(old)
  let second = ModelContext(container)
  let broken = second.model(for: old[0]) as? Tool
  checks.check("a new context sees the change", broken?.condition, is: .broken)
  let closed = try await keeper.closeLoans(before: midnight(20))
  checks.check("closed loans", closed, is: 2)

  let accountant = Accountant(modelContainer: container)
  async let paid = accountant.total(of: .paid)
  async let open = accountant.total(of: .open)
  checks.check("totals", try await [paid, open], is: [Decimal(243), Decimal(string: "91.5")!])
  checks.check("reminders", try await accountant.remind(before: midnight(35)), is: ["2025-0", "2025-3"])
  checks.check("open bills", try await accountant.total(of: .open), is: Decimal(string: "60.5")!)
}

@MainActor
func changeAndDelete(at url: URL, _ checks: Checks) throws {
  var loans = 0
  var lines = 0
  do {
    let context = ModelContext(try openWorkshop(at: url))
    let members = try context.all(Member.self, by: SortDescriptor(\.card))
    let tools = try context.all(Tool.self, by: SortDescriptor(\.number))
    (tools[1] as? PowerTool)?.volts = 400
    tools[1].name = "Table saw"
    members[1].phones["mobile"] = "555-0499"
    members[1].sponsor = members[0]
    let wax = try context.all(Finish.self).first { $0.name == "Wax" }
    wax?.colour = Colour(red: 1, green: 2, blue: 3)
    tools[2].jobs.removeAll()
    try context.save()

    let leaver = members[4]
    let others = tools[7].loans.filter { $0.borrower != leaver }
    loans = try context.count(Loan.self) - leaver.loans.count - others.count
    lines = try context.count(BillLine.self) - members[3].bills.reduce(0) { $0 + $1.lines.count }
    checks.check("there is something to delete", !leaver.loans.isEmpty && !members[3].bills.isEmpty)
    context.delete(leaver)
    context.delete(tools[7])
    for bill in members[3].bills { context.delete(bill) }
    let done = #Predicate<RepairJob> { $0.isDone }
    try context.delete(model: RepairJob.self, where: done)
    try context.delete(model: Person.self, where: #Predicate { $0.name == "Zoran" })
    try context.save()
  }
  let context = ModelContext(try openWorkshop(at: url))
  let tools = try context.all(Tool.self, by: SortDescriptor(\.number))
  checks.check("label", tools[1].label, is: "1 Table saw (100 W)")
  checks.check("volts", (tools[1] as? PowerTool)?.volts, is: 400)
  checks.check("jobs", tools[2].jobs.count, is: 0)
  checks.check("colour", try context.all(Finish.self).first { $0.name == "Wax" }?.colour?.blue, is: 3)
  let members = try context.all(Member.self, by: SortDescriptor(\.card))
  checks.check("members", members.map(\.name), is: ["Aud", "Bengt", "Cilla", "Dag", "Finn", "Gro", "Håkon"])
  checks.check("phones", members[1].phones, is: ["mobile": "555-0499"])
  checks.check("sponsored", members[0].sponsored.map(\.name).sorted(), is: ["Bengt", "Dag", "Gro"])
  checks.check("loans", try context.count(Loan.self), is: loans)
  checks.check("lines", try context.count(BillLine.self), is: lines)
  checks.check("tools", tools.map(\.number), is: Array(0..<7) + Array(8..<20))
  checks.check("people", try context.count(Person.self), is: 8)
  checks.check("certificates", try context.count(Certificate.self), is: 0)
  checks.check("courses", try context.all(Course.self).filter { $0.instructor == nil }.count, is: 2)
  checks.check("repairs", try context.all(RepairJob.self).filter(\.isDone).count, is: 0)
  checks.check("entries", try context.count(LogEntry.self), is: 3)

  try context.delete(model: RepairJob.self)
  try context.delete(model: PowerTool.self, includeSubclasses: false)
  try context.save()
  checks.check("cordless tools stay", try context.count(PowerTool.self), is: 4)
  checks.check("other tools stay", try context.count(Tool.self), is: 12)
  try context.delete(model: Tool.self)
  try context.save()
  checks.check("no tools", try context.count(Tool.self), is: 0)
  checks.check("no loans", try context.count(Loan.self), is: 0)
  checks.check("batteries", try context.all(Battery.self).filter { $0.tool == nil }.count, is: 6)
  checks.check("benches", try context.all(Bench.self).map(\.tools.count), is: [0, 0, 0, 0])
}

guard CommandLine.arguments.count == 2 else {
  print("usage: Workshop FOLDER")
  exit(2)
}
ValueTransformer.setValueTransformer(
  ColourTransformer(), forName: NSValueTransformerName(rawValue: "ColourTransformer"))
let checks = Checks()
do {
  let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory).appending(path: "workshop")
  try? FileManager.default.removeItem(at: folder)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let url = folder.appending(path: "tools.store")
  try create(at: url, checks)
  checks.end("create and reopen")
  try search(at: url, checks)
  checks.end("\(checks.predicates) predicates, \(checks.discriminating) of them find a part")
  try await workInBackground(at: url, checks)
  checks.end("actors")
  try changeAndDelete(at: url, checks)
  checks.end("change, delete and reopen")
} catch {
  checks.check("stopped by \(error)", false)
}
exit(checks.isSuccess ? 0 : 1)
