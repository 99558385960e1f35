import Foundation
import SwiftData

/// Returns a new context for a version's store.
func openContext(
  _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil, at url: URL
) throws -> ModelContext {
  let schema = Schema(versionedSchema: version)
  let configuration = ModelConfiguration(schema: schema, url: url)
  return ModelContext(try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
}

/// Creates an empty folder for a store.
func newStore(_ name: String, in folder: URL) throws -> URL {
  let place = folder.appending(path: name, directoryHint: .isDirectory)
  if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  return place.appending(path: "clinic.store", directoryHint: .notDirectory)
}

/// Creates a store as the first release left it. Patient 12 exists twice.
private func createFirstRelease(at url: URL) throws {
  let context = try openContext(ClinicSchemaV1.self, at: url)
  let doctors = [
    ClinicSchemaV1.Doctor(name: "Nora Aas", specialty: "Skin", startedAt: day(-900)),
    ClinicSchemaV1.Doctor(name: "Ola Bø", specialty: nil, startedAt: day(-500)),
    ClinicSchemaV1.Doctor(name: "Pia Dal", specialty: "Skin", startedAt: day(-100)),
  ]
  let patients = [
    ClinicSchemaV1.Patient(number: 11, name: "Rolf Eide", birth: day(-12_000), sex: .male),
    ClinicSchemaV1.Patient(number: 12, name: "Siv Anne Foss", phone: "555-0200", sex: .female),
    ClinicSchemaV1.Patient(number: 12, name: "Siv Foss", birth: day(-9_000)),
    ClinicSchemaV1.Patient(number: 13, name: "Tor"),
  ]
  for doctor in doctors { context.insert(doctor) }
  for patient in patients { context.insert(patient) }
  for (index, reason) in ["Rash", "Mole", "Burn", "Check", "Itch"].enumerated() {
    let visit = ClinicSchemaV1.Visit(
      reason: reason, start: day(index), minutes: 10 + index, patient: patients[index % 3],
      doctor: index == 4 ? nil : doctors[index % 3])
    visit.status = index.isMultiple(of: 2) ? .finished : .planned
    context.insert(visit)
    context.insert(ClinicSchemaV1.Diagnosis(code: "L\(index)", title: "Skin \(index)", severity: index, visit: visit))
  }
  let room = ClinicSchemaV1.Room(name: "Room 1", floor: 2)
  room.isAccessible = true
  context.insert(room)
  try context.save()
}

/// Opens a store with each release's plan in turn, and adds something in each release.
func runStepwiseMigration(in folder: URL, _ checks: Checks) throws {
  let url = try newStore("stepwise", in: folder)
  try createFirstRelease(at: url)

  do {
    let context = try openContext(ClinicSchemaV2.self, plan: PlanOfSecondRelease.self, at: url)
    let patients = try context.fetch(
      FetchDescriptor<ClinicSchemaV2.Patient>(sortBy: [SortDescriptor(\.number)]))
    checks.equal("numbers are unique", patients.map(\.number), [11, 12, 13])
    checks.equal("the first name is kept", patients.map(\.name), ["Rolf Eide", "Siv Anne Foss", "Tor"])
    checks.equal("the birth is taken over", patients.map(\.birth), [day(-12_000), day(-9_000), nil])
    checks.equal("visits moved to the original", patients[1].visits.map(\.reason).sorted(), ["Burn", "Itch", "Mole"])
    checks.equal("default of a new property", patients.map(\.isActive), [true, true, true])
    checks.equal("values of enums", patients.map(\.sex), [.male, .female, .other])
    let rooms = try context.fetch(FetchDescriptor<ClinicSchemaV2.Room>())
    checks.equal("a renamed property", rooms.map(\.label), ["Room 1"])
    checks.equal("the others of the room", rooms.map { [$0.floor, $0.seats ?? -1] }, [[2, -1]])
    checks.equal("diagnoses stay", try count(ClinicSchemaV2.Diagnosis.self, in: context), 5)
    patients[2].email = "tor@example.org"
    patients[2].isActive = false
    context.insert(ClinicSchemaV2.Patient(number: 14, name: "Una Gran", birth: day(-7_000), email: "una@example.org"))
    try context.save()
  }
  checks.endSection("stepwise migration to 2.0.0")

  do {
    let context = try openContext(ClinicSchemaV3.self, plan: PlanOfThirdRelease.self, at: url)
    let patients = try context.fetch(
      FetchDescriptor<ClinicSchemaV3.Patient>(sortBy: [SortDescriptor(\.number)]))
    checks.equal("names", patients.map(\.fullName), ["Rolf Eide", "Siv Anne Foss", "Tor", "Una Gran"])
    checks.equal("births", patients.map(\.birthDate), [day(-12_000), day(-9_000), nil, day(-7_000)])
    checks.equal("mails", patients.map(\.email), [nil, nil, "tor@example.org", "una@example.org"])
    checks.equal("activity", patients.map(\.isActive), [true, true, false, true])
    let doctors = try context.fetch(
      FetchDescriptor<ClinicSchemaV3.Doctor>(sortBy: [SortDescriptor(\.startedAt)]))
    checks.equal("nobody has a mentor", doctors.filter { $0.mentor != nil }.count, 0)
    doctors[1].mentor = doctors[0]
    doctors[2].mentor = doctors[0]
    let dose = Dose(amount: 2.5, form: .drops, timesPerDay: 3)
    context.insert(ClinicSchemaV3.Prescription(drug: "Cream", dose: dose, patient: patients[0]))
    context.insert(ClinicSchemaV3.Prescription(drug: "Tea", patient: patients[0]))
    for visit in patients[1].visits { visit.priority = 300 }
    try context.save()
  }
  checks.endSection("stepwise migration to 3.0.0")

  do {
    let context = try openContext(ClinicSchemaV4.self, plan: PlanOfFourthRelease.self, at: url)
    let patients = try context.fetch(
      FetchDescriptor<ClinicSchemaV4.Patient>(sortBy: [SortDescriptor(\.number)]))
    checks.equal("given names", patients.map(\.givenName), ["Rolf", "Siv Anne", "", "Una"])
    checks.equal("family names", patients.map(\.familyName), ["Eide", "Foss", "Tor", "Gran"])
    let doctors = try context.fetch(
      FetchDescriptor<ClinicSchemaV4.Doctor>(sortBy: [SortDescriptor(\.startedAt)]))
    checks.equal("licences", doctors.map(\.licence), ["L-1", "L-2", "L-3"])
    checks.equal("departments", doctors.map { $0.department?.name }, ["Skin", "General", "Skin"])
    checks.equal("mentors", doctors.map { $0.mentor?.name }, [nil, "Nora Aas", "Nora Aas"])
    checks.equal("trainees", doctors[0].trainees.map(\.name).sorted(), ["Ola Bø", "Pia Dal"])
    checks.equal("one of each department", try count(ClinicSchemaV4.Department.self, in: context), 2)
    checks.equal("doses", patients[0].prescriptions.compactMap { $0.dose?.perDay }, [7.5])
    let priorities = try context.fetch(FetchDescriptor<ClinicSchemaV4.Visit>(sortBy: [SortDescriptor(\.start)]))
      .map(\.priority)
    checks.equal("priorities", priorities, [1, 300, 300, 1, 300])
  }
  checks.endSection("stepwise migration to 4.0.0")

  do {
    let context = try openContext(ClinicSchemaV5.self, plan: PlanOfFifthRelease.self, at: url)
    let visits = try context.fetch(FetchDescriptor<ClinicSchemaV5.Visit>(sortBy: [SortDescriptor(\.start)]))
    checks.equal("durations", visits.map(\.duration), [10, 11, 12, 13, 14])
    checks.equal("triage", visits.map(\.triage), [.normal, .normal, .normal, .normal, .normal])
    let patients = try context.fetch(
      FetchDescriptor<ClinicSchemaV5.Patient>(sortBy: [SortDescriptor(\.number)]))
    for severity in 1...3 {
      context.insert(ClinicSchemaV5.Allergy(substance: "nuts", severity: severity, patient: patients[0]))
    }
    context.insert(ClinicSchemaV5.Allergy(substance: "nuts", severity: 1, patient: patients[3]))
    let lines = [
      ClinicSchemaV5.InvoiceLine(text: "Cream", amount: Decimal(string: "19.95")!, quantity: 3),
      ClinicSchemaV5.InvoiceLine(text: "Visit", amount: 200),
    ]
    let invoice = ClinicSchemaV5.Invoice(
      number: 7, issuedAt: day(30), patient: patients[1], visit: visits[1], lines: lines)
    invoice.state = .sent
    context.insert(invoice)
    visits[0].triage = .emergency
    try context.save()
  }
  checks.endSection("stepwise migration to 5.0.0")

  do {
    let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
    let allergies = try all(Allergy.self, sortBy: [SortDescriptor(\.patientNumber)], in: context)
    checks.equal("the worst allergies are kept", allergies.map(\.severity), [3, 1])
    checks.equal("owners of allergies", allergies.map { $0.patient?.fullName }, ["Rolf Eide", "Una Gran"])
    let invoice = try all(Invoice.self, in: context).first
    checks.equal("total", invoice?.total, Decimal(string: "259.85"))
    checks.equal("default of the currency", invoice?.currency, "NOK")
    checks.equal("state of the invoice", invoice?.state, .sent)
    checks.equal("visit of the invoice", invoice?.visit?.invoice?.number, 7)
    let patients = try all(Patient.self, sortBy: [SortDescriptor(\.number)], in: context)
    checks.equal("codes of files", patients.map(\.fileCode), ["F11", "F12", "F13", "F14"])
    checks.expect("lists are empty", patients.allSatisfy { $0.tags.isEmpty && $0.admissions.isEmpty })
    checks.equal("contacts", patients.map(\.contact), [.unreachable, .unreachable, .unreachable, .unreachable])
    let visits = try all(Visit.self, sortBy: [SortDescriptor(\.start)], in: context)
    checks.equal("references", visits.map(\.reference), ["11/1", "12/1", "12/2", "11/2", "12/3"])
    checks.equal("triage stays", visits.map(\.triage.rawValue), [4, 2, 2, 2, 2])
    let doctors = try all(Doctor.self, sortBy: [SortDescriptor(\.licence)], in: context)
    checks.equal("employment", doctors.map(\.employedSince), [day(-900), day(-500), day(-100)])
    checks.equal("fees", doctors.map(\.fee), [80, 80, 80])
    doctors[0].homepage = URL(string: "https://clinic.example/nora")
    let ward = Ward(name: "Skin ward", floor: 3, department: doctors[0].department, beds: 2)
    context.insert(ward)
    try context.save()
  }
  do {
    let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
    let department = try context.only(#Predicate<Department> { $0.name == "Skin" })
    checks.equal("beds of the new ward", department?.wards.first?.beds.map(\.number).sorted(), [1, 2])
    checks.equal("doctors of the department", department?.doctors.map(\.licence).sorted(), ["L-1", "L-3"])
  }
  checks.endSection("stepwise migration to 6.0.0")
}

/// Opens a store of the first release with the newest version, and compares it with a store that took every step.
func runDirectMigration(in folder: URL, _ checks: Checks) throws {
  let direct = try newStore("direct", in: folder)
  let slow = try newStore("slow", in: folder)
  try createFirstRelease(at: direct)
  try createFirstRelease(at: slow)
  _ = try openContext(ClinicSchemaV2.self, plan: PlanOfSecondRelease.self, at: slow)
  _ = try openContext(ClinicSchemaV3.self, plan: PlanOfThirdRelease.self, at: slow)
  _ = try openContext(ClinicSchemaV4.self, plan: PlanOfFourthRelease.self, at: slow)
  _ = try openContext(ClinicSchemaV5.self, plan: PlanOfFifthRelease.self, at: slow)

  let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: direct)
  let other = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: slow)
  checks.sameLines("both ways lead to one result", try summary(of: context), try summary(of: other))
  let patients = try all(Patient.self, sortBy: [SortDescriptor(\.number)], in: context)
  checks.equal("names", patients.map(\.fullName), ["Rolf Eide", "Siv Anne Foss", " Tor"])
  checks.equal("phones", patients.map(\.phone), [nil, "555-0200", nil])
  checks.equal("visits", patients.map(\.visits.count), [2, 3, 0])
  let departments = try all(Department.self, sortBy: [SortDescriptor(\.name)], in: context)
  checks.equal("departments", departments.map { "\($0.name) \($0.doctors.count)" }, ["General 1", "Skin 2"])
  let plan = ClinicMigrationPlan.schemas.map { $0.versionIdentifier }
  checks.expect("versions ascend", zip(plan, plan.dropFirst()).allSatisfy { $0 < $1 })
  checks.equal("entities of the newest version", context.container.schema.entities.count, 22)
  checks.endSection("direct migration from 1.0.0 to 6.0.0")
}
