import Foundation
import SwiftData

/// Fills a store, opens it again and compares its values.
func runCreation(at url: URL, _ checks: Checks) throws {
  var before: [String] = []
  do {
    let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
    let sample = SampleClinic(in: context)
    checks.expect("there are changes", context.hasChanges)
    try context.save()
    checks.expect("everything is saved", !context.hasChanges)
    checks.equal("visits", sample.visits.count, 18)
    before = try summary(of: context)
  }

  let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
  checks.sameLines("values after the store was opened again", try summary(of: context), before)
  checks.equal("patients", try count(Patient.self, in: context), 12)
  checks.equal("doctors", try count(Doctor.self, in: context), 5)
  checks.equal("admissions", try count(Admission.self, in: context), 3)

  if let patient = try Patient.find(103, in: context) {
    checks.equal("photo", patient.photo, Data((0..<5_000).map { UInt8($0 % 251) }))
    checks.equal("weights", patient.weights, [63.5, 64.5])
    checks.equal("coverage", patient.coverage, .selfPaid)
    checks.equal("blood group", patient.bloodGroup, .ab)
    checks.equal("preferences", patient.preferences, ["language": "no"])
    checks.equal("a transient property has its default", patient.isSelected, false)
  } else {
    checks.fail("patient 103 is missing")
  }
  let guardian = try Patient.find(101, in: context)
  checks.equal("dependants", guardian?.dependants.map(\.number).sorted(), [106, 108])
  checks.equal("contact", guardian?.contact, .phone(number: "555-00", line: nil))
  let insured = try Patient.find(102, in: context)
  checks.equal("policy above Int64.max", insured?.policy?.policyNumber, UInt64.max - 1)
  checks.equal("ceiling", insured?.policy?.ceiling, Decimal(string: "1000.01"))
  checks.equal("coverage with a payload", insured?.coverage, .insured(company: "North", policy: 1))
  let bo = try context.only(#Predicate<Doctor> { $0.name == "Bo Moen" })
  checks.equal("mentor", bo?.mentor?.name, "Ada Lund")
  checks.equal("trainees", bo?.trainees.map(\.name), ["Cato Nes"])
  checks.equal("conversations", bo?.conversations.map(\.subject).sorted(), ["Rota in June", "Supplies"])
  checks.equal("fee", bo?.mentor?.fee, Decimal(string: "120.5"))
  checks.equal("homepage", bo?.mentor?.homepage?.absoluteString, "https://clinic.example/ada")
  let ward = try context.only(#Predicate<Ward> { $0.name == "W1" })
  checks.equal("occupied beds", ward?.beds.filter(\.isOccupied).map(\.number), [2])
  checks.equal("nurses of a ward", ward?.nurses.map(\.name), ["Grete"])
  let order = try context.only(#Predicate<LabOrder> { $0.visit?.patient?.number == 103 })
  checks.equal("code of an order", order?.traceCode, "0002")
  checks.equal("results of an order", order?.results.map(\.test).sorted(), ["Iron", "Sodium"])
  let audits = try all(AuditEntry.self, sortBy: [SortDescriptor(\.happenedAt)], in: context)
  checks.equal("checksums", audits.map(\.checksum), [UInt64.max, UInt64.max - 3, UInt64.max - 6])
  checks.equal("code of an entry", audits.first?.traceCode, "0900")
  let visits = try all(Visit.self, in: context)
  checks.expect("visits end after they start", visits.allSatisfy { $0.end > $0.start && $0.overlaps($0) })
  checks.endSection("create and reopen")
}

func runQueries(at url: URL, _ checks: Checks) throws {
  let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
  try checkQueries(in: context, checks)
  checks.endSection("\(checks.predicates) predicates, \(checks.selective) of them find a part")
}

func runChanges(at url: URL, _ checks: Checks) throws {
  do {
    let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
    guard let anna = try Patient.find(101, in: context), let bjarne = try Patient.find(102, in: context) else {
      return checks.fail("patients to change are missing")
    }
    anna.address = PostalAddress(street: "Hill 1", city: "Oslo", postcode: "0001")
    anna.tags.append("moved")
    anna.preferences["contact"] = "mail"
    anna.coverage = .partial(percent: 33.25)
    anna.dependants.removeAll { $0.number == 106 }
    bjarne.address = nil
    bjarne.policy?.policyNumber = 1 << 63
    bjarne.guardian = anna
    let walkIn = try Patient(registration: "120;Gina;Moe")
    context.insert(walkIn)
    walkIn.visits.append(Visit("Walk in", start: day(90)))
    checks.equal("next visit", walkIn.nextVisit?.reason, "Walk in")
    try context.save()

    anna.familyName = "Lost"
    context.insert(Patient(number: 121, givenName: "Never", familyName: "Saved"))
    context.delete(bjarne)
    context.rollback()
    checks.equal("a change is rolled back", anna.familyName, "Berg")
    checks.expect("nothing is left", !context.hasChanges)

    try context.transaction {
      for invoice in try context.fetch(FetchDescriptor(predicate: Invoice.overdue(on: day(400)))) {
        invoice.state = .paid
      }
    }
    let again = Vaccine(code: "FLU", name: "Influenza B", doses: 2)
    context.insert(again)
    try context.save()
  }

  let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
  let anna = try Patient.find(101, in: context)
  checks.equal("city", anna?.address?.city, "Oslo")
  checks.equal("tags", anna?.tags, ["tag0", "vip", "moved"])
  checks.equal("preferences", anna?.preferences, ["language": "no", "contact": "mail"])
  checks.equal("coverage", anna?.coverage, .partial(percent: 33.25))
  checks.equal("dependants", anna?.dependants.map(\.number).sorted(), [102, 108])
  let bjarne = try Patient.find(102, in: context)
  checks.equal("number above Int64.max", bjarne?.policy?.policyNumber, 9_223_372_036_854_775_808)
  checks.equal("patient of the walk-in visit", try Patient.find(120, in: context)?.visits.map(\.reason), ["Walk in"])
  checks.equal("a patient that was rolled back", try Patient.find(121, in: context)?.number, nil)
  checks.equal("sent invoices", try context.fetchCount(FetchDescriptor(predicate: Invoice.overdue(on: day(400)))), 0)
  let vaccines = try all(Vaccine.self, sortBy: [SortDescriptor(\.code)], in: context)
  checks.equal("vaccines after an upsert", vaccines.map(\.name), ["Influenza B", "Measles", "Tetanus"])
  checks.expect("a bad line", (try? Patient(registration: "12;Hal")) == nil)
  checks.expect("a diagnosis without a code", Diagnosis(text: "Cold") == nil)
  checks.endSection("change and reopen")
}

func runDeletions(at url: URL, _ checks: Checks) throws {
  var wanted: [Int] = []
  do {
    let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
    guard let patient = try Patient.find(107, in: context),
      let surgery = try context.only(#Predicate<Department> { $0.name == "Surgery" }),
      let rota = try context.only(#Predicate<Conversation> { $0.isPinned })
    else { return checks.fail("models to delete are missing") }
    let beds = surgery.wards.reduce(0) { $0 + $1.beds.count }
    let diagnoses = patient.visits.reduce(0) { $0 + $1.diagnoses.count }
    checks.expect("the patient has visits, diagnoses and allergies", !patient.visits.isEmpty && diagnoses > 0)
    wanted = [
      try count(Visit.self, in: context) - patient.visits.count,
      try count(Diagnosis.self, in: context) - diagnoses,
      try count(Allergy.self, in: context) - patient.allergies.count,
      try count(Prescription.self, in: context) - patient.prescriptions.count,
      try count(Immunisation.self, in: context) - (patient.immunisations?.count ?? 0),
      try count(Admission.self, in: context) - patient.admissions.count,
      try count(Invoice.self, in: context),
      try count(Bed.self, in: context) - beds,
      try count(Note.self, in: context) - rota.notes.count,
      try count(AuditEntry.self, in: context) - 2,
    ]
    context.delete(patient)
    context.delete(surgery)
    context.delete(rota)
    try context.delete(model: AuditEntry.self, where: #Predicate { $0.action == "change" })
    try context.save()
  }

  let context = try openContext(ClinicSchemaV6.self, plan: ClinicMigrationPlan.self, at: url)
  let found = [
    try count(Visit.self, in: context), try count(Diagnosis.self, in: context), try count(Allergy.self, in: context),
    try count(Prescription.self, in: context), try count(Immunisation.self, in: context),
    try count(Admission.self, in: context), try count(Invoice.self, in: context), try count(Bed.self, in: context),
    try count(Note.self, in: context), try count(AuditEntry.self, in: context),
  ]
  checks.equal("models that are left", found, wanted)
  checks.equal("the patient", try Patient.find(107, in: context)?.number, nil)
  let doctors = try all(Doctor.self, sortBy: [SortDescriptor(\.licence)], in: context)
  checks.equal("departments", doctors.map { $0.department?.name }, [nil, nil, "Children", "Children", nil])
  checks.equal("conversations", doctors.map(\.conversations.count), [0, 1, 0, 0, 0])
  let wards = try all(Ward.self, sortBy: [SortDescriptor(\.name)], in: context)
  checks.equal("wards", wards.map(\.name), ["W2", "W3"])
  checks.equal("nurses", wards.map { $0.nurses.map(\.name).sorted() }, [["Grete", "Hans"], []])
  checks.equal("beds of admissions", try all(Admission.self, in: context).compactMap(\.bed?.number), [])
  for ward in wards { context.delete(ward) }
  try context.save()
  checks.equal("nurses without wards", try all(Nurse.self, in: context).map(\.wards.count), [0, 0, 0])
  checks.endSection("delete and reopen")
}
