import Foundation
import SwiftData

/// Returns midnight of a day. Day 0 is in October 2025.
func midnight(_ day: Int) -> Date {
  Date(timeIntervalSinceReferenceDate: 781_920_000 + Double(day) * 86_400)
}

/// Fills a workshop with 20 tools, 8 members and their projects.
func furnish(_ context: ModelContext) throws {
  let rooms = [
    Room(name: "Wood", size: Size(length: 12.5, width: 8, height: 3.25)),
    Room(name: "Metal", size: Size(length: 6, width: 5, height: nil)),
  ]
  for room in rooms { context.insert(room) }
  let benches = (0..<4).map { Bench(code: "B\($0)", room: $0 == 3 ? nil : rooms[$0 % 2]) }
  for (index, bench) in benches.enumerated() {
    bench.isFree = index != 1
    bench.sockets = index == 2 ? nil : UInt8(index * 85)
    context.insert(bench)
  }
  let tools = addTools(benches, to: context)
  let members = addMembers(to: context)
  addLoans(tools, members, to: context)
  try addCourses(rooms, members, to: context)
  addBills(members, to: context)
  addProjects(members, tools, to: context)
}

private func addTools(_ benches: [Bench], to context: ModelContext) -> [Tool] {
  var tools: [Tool] = []
  for index in 0..<20 {
    let bought = midnight(-index * 100)
    let tool: Tool
    switch index % 5 {
    case 0: tool = HandTool(number: index, name: "Chisel \(index)", boughtAt: bought)
    case 1: tool = PowerTool(number: index, name: "Saw \(index)", boughtAt: bought, watts: index * 100)
    case 2: tool = PowerTool(number: index, name: "Sander \(index)", boughtAt: bought)
    case 3:
      let batteries = (0..<index % 4).map { Battery(serial: UInt64.max - UInt64(index * 10 + $0)) }
      tool = CordlessTool(
        number: index, name: "Drill \(index)", boughtAt: bought, platform: index > 10 ? "36V" : "18V",
        batteries: batteries)
    default: tool = Tool(number: index, name: "Ladder \(index)", boughtAt: bought)
    }
    tool.price = Decimal(index) * Decimal(string: "12.35")!
    if index % 5 != 0 { tool.condition = Condition.allCases[index % 4] }
    tool.bench = index % 3 == 0 ? nil : benches[index % 4]
    if let power = tool as? PowerTool, index % 2 == 0 { power.lastTestedAt = midnight(-index) }
    if let hand = tool as? HandTool {
      hand.weight = index == 10 ? nil : Float(index) / 8
      hand.manual = index == 5 ? Data(repeating: 0xA5, count: 1_500) : nil
      if index == 15 { hand.materials.append("beech") }
    }
    context.insert(tool)
    tools.append(tool)
  }
  return tools
}

private func addMembers(to context: ModelContext) -> [Member] {
  let names = ["Aud", "Bengt", "Cilla", "Dag", "Eli", "Finn", "Gro", "Håkon"]
  var members: [Member] = []
  for (index, name) in names.enumerated() {
    let card = 7_000_000_000 + Int64(index)
    let member =
      index < 3
      ? Member(card: card, name: name, level: .master)
      : Member(card: card, name: name, sponsor: members[index % 3])
    member.email = index % 2 == 0 ? "\(name.lowercased())@workshop.example" : nil
    member.phones = index == 2 ? ["home": "555-0401", "work": "555-0402"] : [:]
    if index == 5 { member.level = .advanced }
    context.insert(member)
    members.append(member)
  }
  return members
}

private func addLoans(_ tools: [Tool], _ members: [Member], to context: ModelContext) {
  for index in 0..<15 {
    let loan = Loan(tools[index * 7 % 20], to: members[index % 6], start: midnight(index * 3))
    if index % 4 != 1 { loan.end = midnight(index * 3 + 5) }
    loan.state = index % 4 == 1 ? .out : index % 7 == 0 ? .lost : .back
    context.insert(loan)
  }
}

private func addCourses(_ rooms: [Room], _ members: [Member], to context: ModelContext) throws {
  let instructors = [Instructor(name: "Ylva", hourlyRate: 550), Instructor(name: "Zoran", hourlyRate: 475)]
  instructors[0].subjects = ["turning", "carving"]
  for instructor in instructors { context.insert(instructor) }
  let certificate = Certificate(title: "Welding", issuedAt: midnight(-700), instructor: instructors[1])
  certificate.validYears = 3
  context.insert(certificate)
  for index in 0..<4 {
    let course = Course(
      title: "Course \(index)", start: midnight(20 + index), instructor: index == 3 ? nil : instructors[index % 2],
      room: rooms[index % 2])
    course.seats = index + 1
    context.insert(course)
    for member in members.prefix(index) {
      let booking = try Booking(course: course, member: member, bookedAt: midnight(index))
      booking.hasPaid = member.card % 2 == 0
      context.insert(booking)
    }
  }
}

private func addBills(_ members: [Member], to context: ModelContext) {
  let states: [BillState] = [.open, .paid, .reminded]
  for index in 0..<9 {
    let bill = Bill(number: "2025-\(index)", issuedAt: midnight(index * 10), member: members[index % 4])
    bill.state = states[index % 3]
    context.insert(bill)
    for line in 0...index % 3 {
      context.insert(BillLine("Line \(line)", amount: Decimal(index * 10) + Decimal(string: "0.5")!, bill: bill))
    }
  }
}

private func addProjects(_ members: [Member], _ tools: [Tool], to context: ModelContext) {
  let oil = Finish(name: "Oil", colour: Colour(red: 181, green: 101, blue: 29))
  let wax = Finish(name: "Wax")
  let paint = Finish(name: "Paint", colour: Colour(red: 0, green: 255, blue: 128))
  for finish in [oil, wax, paint] { context.insert(finish) }
  let supplier = Supplier(name: "Sawmill")
  supplier.website = URL(string: "https://sawmill.example/b%C3%B8k")
  supplier.isPreferred = true
  let oak = Material(code: "OAK", name: "Oak board", quantity: 12.5, supplier: supplier)
  let pine = Material(code: "PINE", name: "Pine board", quantity: 40, supplier: supplier)
  oak.reserved = 20
  oak.unit = "m"
  context.insert(oak)
  context.insert(pine)
  for index in 0..<5 {
    let project = Project(name: "Project \(index)", owner: index == 4 ? nil : members[index % 3])
    project.startedAt = index % 2 == 0 ? midnight(index) : nil
    project.budget = index == 1 ? nil : Decimal(index * 500)
    project.plan = index == 0 ? URL(string: "file:///plans/table.pdf") : nil
    context.insert(project)
    project.helpers = Array(members.dropFirst(index).prefix(index))
    for number in 0..<index {
      let part = Part(
        name: "Part \(number)", quantity: number + 1, size: number == 1 ? nil : Size(length: 10, width: Double(index)),
        material: number % 2 == 0 ? oak : pine)
      part.finish = number == 2 ? paint : number == 0 ? oil : nil
      part.project = project
      context.insert(part)
    }
    var previous: Step?
    for number in 1...3 where index % 2 == 0 {
      let step = Step(number: number, text: "Step \(number)", after: previous)
      step.project = project
      context.insert(step)
      previous = step
    }
    let joints: [Joint] = [.dovetail, .glue(minutes: 30 * index), .screws(count: 8, length: 4.5)]
    let build = BuildJob(title: "Build \(index)", project: project, joints: Array(joints.prefix(index % 4)))
    build.marks = index == 2 ? [Mark(name: "top", millimetres: 740)] : []
    build.priority = index - 2
    build.checklist = index % 2 == 1 ? Checklist(title: "Safety", items: ["goggles", "gloves"]) : nil
    build.tools = tools.filter { $0.number % 5 == index }
    context.insert(build)
    let repair = RepairJob("Loose screw", on: tools[index * 3], due: index == 3 ? nil : midnight(index * 4))
    repair.customer = index % 2 == 0 ? "School" : nil
    repair.isDone = index > 2
    repair.log = (0..<index).map { LogEntry("Entry \($0)", writtenAt: midnight($0), minutes: $0 == 0 ? nil : 45) }
    repair.tools = Array(tools.prefix(index))
    context.insert(repair)
  }
  context.insert(Job(title: "Sweep the floor"))
}
