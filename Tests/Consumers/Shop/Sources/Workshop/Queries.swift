import Foundation
import SwiftData

extension Tool {
  /// Tools that can be lent: they work and have no open loan.
  static var available: Predicate<Tool> {
    let broken = Condition.broken
    return #Predicate<Tool> { $0.condition != broken && $0.loans.allSatisfy { $0.end != nil } }
  }
}

@MainActor
func checkTools(in context: ModelContext, _ checks: Checks) throws {
  let number = 12
  let numbers = [3, 4, 8, 99]
  let limit: Decimal = 100
  let old = midnight(-900)
  let date = midnight(-500)
  let good = Condition.good
  let usable: [Condition] = [.new, .good, .worn]
  let room = "Wood"
  let bench = try context.all(Bench.self, by: SortDescriptor(\.code))[0].persistentModelID
  let some = Set(try context.all(HandTool.self).map(\.persistentModelID))

  checks.check("number", #Predicate<Tool> { $0.number == number }, in: context) { $0.number == 12 }
  checks.check("numbers", #Predicate<Tool> { numbers.contains($0.number) }, in: context) { numbers.contains($0.number) }
  checks.check("power tools", #Predicate<Tool> { $0 is PowerTool }, in: context) { $0 is PowerTool }
  checks.check("no hand tools", #Predicate<Tool> { !($0 is HandTool) }, in: context) { !($0 is HandTool) }
  checks.check("dear power tools", #Predicate<Tool> { $0 is PowerTool && $0.price > limit }, in: context) {
    $0 is PowerTool && $0.price > 100
  }
  checks.check("cordless or old", #Predicate<Tool> { $0 is CordlessTool || $0.boughtAt < old }, in: context) {
    $0 is CordlessTool || $0.boughtAt < old
  }
  checks.check(
    "strong tools",
    #Predicate<Tool> {
      if let power = $0 as? PowerTool {
        power.watts > 500
      } else {
        false
      }
    }, in: context
  ) { ($0 as? PowerTool).map { $0.watts > 500 } ?? false }
  checks.check("platform", #Predicate<Tool> { ($0 as? CordlessTool)?.platform == "36V" }, in: context) {
    ($0 as? CordlessTool)?.platform == "36V"
  }
  checks.check("condition", #Predicate<Tool> { $0.condition == good }, in: context) { $0.condition == .good }
  checks.check("broken", #Predicate<Tool> { $0.condition == .broken && $0.bench != nil }, in: context) {
    $0.condition == .broken && $0.bench != nil
  }
  checks.check(
    "usable saws", #Predicate<Tool> { usable.contains($0.condition) && $0.name.contains("Saw") }, in: context
  ) { $0.condition != .broken && $0.name.hasPrefix("Saw") }
  checks.check("at a bench", #Predicate<Tool> { $0.bench?.persistentModelID == bench }, in: context) {
    $0.bench?.code == "B0"
  }
  checks.check("in a room", #Predicate<Tool> { $0.bench?.room?.name == room }, in: context) {
    $0.bench?.room?.name == "Wood"
  }
  checks.check("nowhere", #Predicate<Tool> { $0.bench == nil || $0.bench?.room == nil }, in: context) {
    $0.bench?.room == nil
  }
  checks.check("hand tools by identifier", #Predicate<Tool> { some.contains($0.persistentModelID) }, in: context) {
    $0 is HandTool
  }
  checks.check("names", #Predicate<Tool> { $0.name.starts(with: "Dr") }, in: context) { $0.name.hasPrefix("Dr") }
  checks.check(
    "lent to a master", #Predicate<Tool> { $0.loans.contains { $0.borrower?.sponsor == nil } }, in: context
  ) { $0.loans.contains { $0.borrower?.sponsor == nil } }
  checks.check("weak", #Predicate<PowerTool> { $0.watts < 0 || $0.volts < 100 }, in: context) {
    $0.watts < 0 || $0.volts < 100
  }
  checks.check("tested", #Predicate<PowerTool> { $0.lastTestedAt != nil && $0.lastTestedAt! > date }, in: context) {
    ($0.lastTestedAt ?? .distantPast) > date
  }
  checks.check(
    "cordless with many batteries", #Predicate<CordlessTool> { $0.batteries.count >= 2 && $0.watts == 400 }, in: context
  ) { $0.batteries.count >= 2 }
  checks.check("hand tools of wood", #Predicate<HandTool> { $0.materials.contains("beech") }, in: context) {
    $0.materials.contains("beech")
  }
  checks.check("weight", #Predicate<HandTool> { ($0.weight ?? 0) * 8 > 4 }, in: context) { ($0.weight ?? 0) > 0.5 }
  checks.check("manuals", #Predicate<HandTool> { $0.manual != nil }, in: context) { $0.manual != nil }
  checks.check("available", Tool.available, in: context) { tool in
    tool.condition != .broken && !tool.loans.contains { $0.end == nil }
  }
  let available = Tool.available
  checks.check(
    "available power tools", #Predicate<Tool> { available.evaluate($0) && $0 is PowerTool }, in: context
  ) { tool in tool is PowerTool && tool.condition != .broken && !tool.loans.contains { $0.end == nil } }
}

@MainActor
func checkPeople(in context: ModelContext, _ checks: Checks) {
  let card: Int64 = 7_000_000_004
  let master = Level.master
  let sponsor = "Aud"
  let cards: [Int64] = [7_000_000_001, 7_000_000_002]
  let state = Loan.State.back
  let late = midnight(30)
  let rate: Decimal = 500
  let query = "a"

  checks.check("members", #Predicate<Person> { $0 is Member }, in: context) { $0 is Member }
  checks.check("people by name", #Predicate<Person> { $0.name.localizedStandardContains(query) }, in: context) {
    $0.name.lowercased().replacing("å", with: "a").contains("a")
  }
  checks.check("card", #Predicate<Member> { $0.card == card }, in: context) { $0.card == 7_000_000_004 }
  checks.check("masters with mail", #Predicate<Member> { $0.level == master && $0.email != nil }, in: context) {
    $0.level == .master && $0.email != nil
  }
  checks.check("sponsored by Aud", #Predicate<Member> { $0.sponsor?.name == sponsor }, in: context) {
    $0.sponsor?.name == "Aud"
  }
  checks.check("sponsors", #Predicate<Member> { $0.sponsored.contains { $0.level != master } }, in: context) {
    !$0.sponsored.isEmpty
  }
  checks.check(
    "nested unwrapping",
    #Predicate<Loan> {
      if let member = $0.borrower, let sponsor = member.sponsor {
        cards.contains(sponsor.card)
      } else {
        false
      }
    }, in: context
  ) { cards.contains($0.borrower?.sponsor?.card ?? 0) }
  checks.check(
    "late loans", #Predicate<Loan> { $0.end == nil || ($0.end! > late && $0.state == state) }, in: context
  ) { $0.end == nil || $0.end! > late && $0.state == .back }
  checks.check("loans of drills", #Predicate<Loan> { $0.tool?.name.contains("Drill") == true }, in: context) {
    $0.tool is CordlessTool
  }
  checks.check("loans of power tools", #Predicate<Loan> { $0.tool is PowerTool }, in: context) { $0.tool is PowerTool }
  checks.check("instructors", #Predicate<Instructor> { $0.hourlyRate > rate }, in: context) { $0.hourlyRate > 500 }
  checks.check(
    "full courses", #Predicate<Course> { $0.bookings.count + 1 >= $0.seats && $0.instructor != nil }, in: context
  ) { $0.bookings.count + 1 >= $0.seats && $0.instructor != nil }
  checks.check(
    "courses of wood or welders",
    #Predicate<Course> { $0.room?.name == "Wood" || $0.instructor?.certificates.isEmpty == false }, in: context
  ) { $0.room?.name == "Wood" || $0.instructor?.certificates.isEmpty == false }
  checks.check("unpaid", #Predicate<Booking> { !$0.hasPaid && $0.member?.card != card }, in: context) { !$0.hasPaid }
  checks.check("lines", #Predicate<BillLine> { $0.bill.member?.name == sponsor && $0.amount > 0 }, in: context) {
    $0.bill.member?.name == "Aud"
  }
  checks.check("open bills", #Predicate<Bill> { $0.state == .open || $0.lines.count > 2 }, in: context) {
    $0.state == .open || $0.lines.count > 2
  }
}

@MainActor
func checkJobs(in context: ModelContext, _ checks: Checks) {
  let soon = midnight(10)
  let material = "OAK"
  let kinds = ["OAK", "PINE"]
  let onlyOpen = true
  let onlyUrgent = false
  let minimum = 4.0

  checks.check("repairs", #Predicate<Job> { $0 is RepairJob && !$0.isDone }, in: context) {
    $0 is RepairJob && !$0.isDone
  }
  checks.check("plain jobs", #Predicate<Job> { !($0 is RepairJob) && !($0 is BuildJob) }, in: context) {
    $0.title == "Sweep the floor"
  }
  checks.check(
    "flags", #Predicate<Job> { (!onlyOpen || !$0.isDone) && (!onlyUrgent || $0.priority > 1) }, in: context
  ) { !$0.isDone }
  checks.check(
    "due or important", #Predicate<Job> { $0.due == nil ? $0.priority > 0 : $0.due! < soon }, in: context
  ) { $0.due.map { $0 < soon } ?? ($0.priority > 0) }
  checks.check("jobs with drills", #Predicate<Job> { $0.tools.contains { $0 is CordlessTool } }, in: context) {
    $0.tools.contains { $0 is CordlessTool }
  }
  checks.check(
    "repairs of good tools", #Predicate<RepairJob> { $0.broken?.condition == .good || $0.customer == nil },
    in: context
  ) { $0.broken?.condition == .good || $0.customer == nil }
  checks.check("builds of projects", #Predicate<BuildJob> { $0.project?.budget == nil }, in: context) {
    $0.project?.budget == nil
  }
  checks.check(
    "projects of oak", #Predicate<Project> { $0.parts.contains { $0.material?.code == material } }, in: context
  ) { $0.parts.contains { $0.material?.code == "OAK" } }
  checks.check("wide parts", #Predicate<Part> { $0.quantity >= 2 && $0.material != nil }, in: context) {
    $0.quantity >= 2 && $0.material != nil
  }
  checks.check("scarce", #Predicate<Material> { $0.reserved > $0.quantity - minimum }, in: context) {
    $0.reserved > $0.quantity - 4
  }
  let long = #Expression<[LogEntry], Int> { $0.filter { $0.minutes != nil }.count }
  checks.check("long repairs", #Predicate<RepairJob> { long.evaluate($0.log) >= 2 }, in: context) { job in
    job.log.filter { $0.minutes != nil }.count >= 2
  }
  let area = #Expression<Room, Double> { $0.size.length * $0.size.width }
  checks.check("large rooms", #Predicate<Room> { area.evaluate($0) > 50 }, in: context) { $0.size.area > 50 }
  checks.check(
    "sawmills", #Predicate<Supplier> { $0.materials.allSatisfy { kinds.contains($0.code) } && $0.isPreferred == true },
    in: context
  ) { $0.name == "Sawmill" }
  checks.check("first steps", #Predicate<Step> { $0.previous == nil && $0.next != nil }, in: context) { $0.number == 1 }
  checks.check("a whole list", #Predicate<Checklist> { $0.job?.title != "Build 1" }, in: context) {
    $0.job?.title != "Build 1"
  }
}
