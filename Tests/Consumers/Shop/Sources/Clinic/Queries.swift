import Foundation
import SwiftData

/// Checks fifty predicates. Compares the result of each with a filter over all models.
func checkQueries(in context: ModelContext, _ checks: Checks) throws {
  checkPatientQueries(in: context, checks)
  checkVisitQueries(in: context, checks)
  try checkRelatedQueries(in: context, checks)
  checkLaboratoryQueries(in: context, checks)
  checkSearches(in: context, checks)
  checkCompositions(in: context, checks)
  checkFetches(in: context, checks)
}

private func checkPatientQueries(in context: ModelContext, _ checks: Checks) {
  let number = 104
  let family = "Berg"
  let given = "Anna"
  let mail = "bjarne@example.org"
  let phone = "555-0110"
  let families = ["Berg", "Lie"]
  let numbers: Set<Int> = [101, 105, 109, 200]
  let mails = ["celine@example.org", "ella@example.org"]
  let adult = day(-6570)

  checks.check("patient by number", #Predicate<Patient> { $0.number == number }, in: context) { $0.number == 104 }
  checks.check(
    "patient by both names", #Predicate<Patient> { $0.familyName == family && $0.givenName == given }, in: context
  ) { $0.familyName == "Berg" && $0.givenName == "Anna" }
  checks.check("patients named Dahl", #Predicate<Patient> { $0.familyName == "Dahl" }, in: context) {
    $0.familyName == "Dahl"
  }
  checks.check(
    "relatives of a patient", #Predicate<Patient> { $0.familyName == family && $0.number != number }, in: context
  ) { $0.familyName == "Berg" && $0.number != 104 }
  checks.check(
    "patient by mail or phone", #Predicate<Patient> { $0.email == mail || $0.phone == phone }, in: context
  ) { $0.email == mail || $0.phone == phone }
  checks.check("active patients", #Predicate<Patient> { $0.isActive == true }, in: context) { $0.isActive }
  checks.check("former patients", #Predicate<Patient> { !$0.isActive }, in: context) { !$0.isActive }
  checks.check("all patients", #Predicate<Patient> { _ in true }, in: context) { _ in true }
  checks.check("patients with mail", #Predicate<Patient> { $0.email != nil }, in: context) { $0.email != nil }
  checks.check(
    "patients who cannot be reached", #Predicate<Patient> { $0.email == nil && $0.phone == nil }, in: context
  ) { $0.email == nil && $0.phone == nil }
  checks.check(
    "adults",
    #Predicate<Patient> {
      if let birth = $0.birthDate {
        birth < adult
      } else {
        false
      }
    }, in: context
  ) { ($0.birthDate ?? .distantFuture) < adult }
  checks.check(
    "children", #Predicate<Patient> { $0.birthDate != nil && $0.birthDate! >= adult }, in: context
  ) { $0.birthDate.map { $0 >= adult } ?? false }
  checks.check("two families", #Predicate<Patient> { families.contains($0.familyName) }, in: context) {
    families.contains($0.familyName)
  }
  checks.check("patients to remove", #Predicate<Patient> { !numbers.contains($0.number) }, in: context) {
    !numbers.contains($0.number)
  }
  checks.check(
    "patients by known mail",
    #Predicate<Patient> {
      if let mail = $0.email {
        mails.contains(mail)
      } else {
        false
      }
    }, in: context
  ) { mails.contains($0.email ?? "") }
  checks.check(
    "mail or a substitute", #Predicate<Patient> { ($0.email ?? "none") == "none" && $0.isActive }, in: context
  ) { $0.email == nil && $0.isActive }
}

private func checkVisitQueries(in context: ModelContext, _ checks: Checks) {
  let reason = "Cough"
  let length = 30
  let priority: Int16 = 1
  let planned = VisitStatus.planned
  let finished = VisitStatus.finished
  let urgent = [Triage.high, Triage.emergency]
  let from = day(10)
  let to = day(25)

  checks.check(
    "three equalities",
    #Predicate<Visit> { $0.reason == reason && $0.duration == length && $0.priority == priority }, in: context
  ) { $0.reason == "Cough" && $0.duration == 30 && $0.priority == 1 }
  checks.check("half an hour", #Predicate<Visit> { $0.duration == 30 }, in: context) { $0.duration == 30 }
  checks.check("planned visits", #Predicate<Visit> { $0.status == planned }, in: context) { $0.status == .planned }
  checks.check("cancelled visits", #Predicate<Visit> { $0.status == .cancelled }, in: context) {
    $0.status == .cancelled
  }
  checks.check(
    "open visits", #Predicate<Visit> { $0.status != finished && $0.status != .cancelled }, in: context
  ) { !$0.status.isOver }
  checks.check("urgent visits", #Predicate<Visit> { urgent.contains($0.triage) }, in: context) {
    $0.triage >= .high
  }
  checks.check("later visits", #Predicate<Visit> { $0.start >= from }, in: context) { $0.start >= from }
  checks.check(
    "visits of a fortnight", #Predicate<Visit> { $0.start >= from && $0.start <= to }, in: context
  ) { (from...to).contains($0.start) }
  checks.check(
    "finished in a fortnight",
    #Predicate<Visit> { $0.status == finished && $0.start >= from && $0.start < to }, in: context
  ) { $0.status == .finished && $0.start >= from && $0.start < to }
  checks.check("moderate lengths", #Predicate<Visit> { (20...40).contains($0.duration) }, in: context) {
    (20...40).contains($0.duration)
  }
  checks.check("visits without a doctor", #Predicate<Visit> { $0.doctor == nil }, in: context) { $0.doctor == nil }
  checks.check(
    "length in hours", #Predicate<Visit> { $0.duration * 4 - 60 > 60 }, in: context
  ) { $0.duration * 4 - 60 > 60 }
}

private func checkRelatedQueries(in context: ModelContext, _ checks: Checks) throws {
  guard let ada = try context.only(#Predicate<Doctor> { $0.licence == "L-1" })?.persistentModelID else {
    return checks.fail("Ada is not found")
  }
  let licences = ["L-1", "L-3"]
  let first = "L-1"
  let second = "L-2"
  let company = "North"
  let surgery = "Surgery"
  let family = "Haug"

  checks.check("Ada by identifier", #Predicate<Doctor> { $0.persistentModelID == ada }, in: context) {
    $0.persistentModelID == ada
  }
  checks.check("visits of Ada", #Predicate<Visit> { $0.doctor?.persistentModelID == ada }, in: context) {
    $0.doctor?.name == "Ada Lund"
  }
  checks.check("visits of a family", #Predicate<Visit> { $0.patient?.familyName == family }, in: context) {
    $0.patient?.familyName == "Haug"
  }
  checks.check(
    "referrals between two", #Predicate<Referral> { $0.sender?.licence == first && $0.recipient?.licence == second },
    in: context
  ) { $0.sender?.licence == "L-1" && $0.recipient?.licence == "L-2" }
  checks.check(
    "referrals with Bo", #Predicate<Referral> { $0.sender?.licence == second || $0.recipient?.licence == second },
    in: context
  ) { [$0.sender?.licence, $0.recipient?.licence].contains("L-2") }
  checks.check("visits of former patients", #Predicate<Visit> { $0.patient?.isActive != true }, in: context) {
    $0.patient?.isActive != true
  }
  checks.check(
    "visits that a company pays",
    #Predicate<Visit> {
      if let patient = $0.patient, let policy = patient.policy {
        policy.company == company && policy.validUntil == nil
      } else {
        false
      }
    }, in: context
  ) { $0.patient?.policy?.company == "North" && $0.patient?.policy?.validUntil == nil }
  checks.check(
    "visits of two doctors",
    #Predicate<Visit> { $0.doctor.flatMap { licences.contains($0.licence) } ?? false }, in: context
  ) { licences.contains($0.doctor?.licence ?? "") }
  checks.check(
    "diagnoses of a family", #Predicate<Diagnosis> { $0.visit?.patient?.familyName == family }, in: context
  ) { $0.visit?.patient?.familyName == "Haug" }
  checks.check(
    "diagnoses of a department", #Predicate<Diagnosis> { $0.visit?.doctor?.department?.name == surgery }, in: context
  ) { $0.visit?.doctor?.department?.name == "Surgery" }
}

private func checkLaboratoryQueries(in context: ModelContext, _ checks: Checks) {
  let sample = uuid(2)
  let limit = 140.0
  let big = UInt64.max - 4
  let code = "I10"

  checks.check("results of an order", #Predicate<LabResult> { $0.order.id == sample }, in: context) {
    $0.order.id == uuid(2)
  }
  checks.check("results of checkups", #Predicate<LabResult> { $0.order.visit?.reason == "Fall" }, in: context) {
    $0.order.visit?.reason == "Fall"
  }
  checks.check("conspicuous results", #Predicate<LabResult> { $0.isAbnormal || $0.value > limit }, in: context) {
    $0.isAbnormal || $0.value > 140
  }
  checks.check("high policy numbers", #Predicate<InsurancePolicy> { $0.policyNumber > big }, in: context) {
    $0.policyNumber > UInt64.max - 4
  }
  checks.check(
    "patients with high pressure",
    #Predicate<Patient> { $0.visits.contains { $0.diagnoses.contains { $0.code == code } } }, in: context
  ) { patient in patient.visits.contains { $0.diagnoses.contains { $0.code == "I10" } } }
  checks.check("patients without visits", #Predicate<Patient> { $0.visits.isEmpty }, in: context) {
    $0.visits.isEmpty
  }
}

private func checkSearches(in context: ModelContext, _ checks: Checks) {
  for (query, title) in [("", "nothing"), ("AN", "two letters")] {
    checks.check(
      "search for \(title)",
      #Predicate<Patient> {
        if query.isEmpty {
          true
        } else {
          $0.givenName.localizedStandardContains(query) || $0.familyName.localizedStandardContains(query)
        }
      }, in: context
    ) { query.isEmpty || ($0.givenName + "\n" + $0.familyName).lowercased().contains(query.lowercased()) }
  }
  let part = "ea"
  let word = "first"
  let mention = "Bo"
  checks.check(
    "visits by words",
    #Predicate<Visit> { $0.reason.contains(part) || $0.notes?.localizedStandardContains(word) == true }, in: context
  ) { $0.reason.contains("ea") || $0.notes?.lowercased().contains("first") == true }
  checks.check("notes that mention Bo", #Predicate<Note> { $0.mentions.contains(mention) }, in: context) {
    $0.mentions.contains("Bo")
  }
}

private func checkCompositions(in context: ModelContext, _ checks: Checks) {
  let finished = VisitStatus.finished
  let done = #Expression<[Visit], Int> { $0.filter { $0.status == finished }.count }
  let severe = #Expression<[Allergy], Bool> { $0.contains { $0.severity > 1 } }
  checks.check(
    "patients with finished visits and without severe allergies",
    #Predicate<Patient> { done.evaluate($0.visits) == 1 && !severe.evaluate($0.allergies) }, in: context
  ) { patient in
    patient.visits.filter { $0.status == .finished }.count == 1 && !patient.allergies.contains { $0.severity > 1 }
  }
  let overdue = Invoice.overdue(on: day(40))
  let expensive = #Predicate<Invoice> { $0.lines.count > 1 && $0.number % 2 == 0 }
  checks.check("overdue invoices", overdue, in: context) { $0.state == .sent && $0.issuedAt < day(40) }
  checks.check(
    "overdue invoices with even numbers", #Predicate<Invoice> { overdue.evaluate($0) && expensive.evaluate($0) },
    in: context
  ) { $0.state == .sent && $0.issuedAt < day(40) && $0.number.isMultiple(of: 2) }
}

private func checkFetches(in context: ModelContext, _ checks: Checks) {
  do {
    let order = [SortDescriptor(\Visit.duration, order: .reverse), SortDescriptor(\Visit.start)]
    var page = FetchDescriptor<Visit>(sortBy: order)
    page.fetchLimit = 5
    page.fetchOffset = 3
    let visits = try context.fetch(FetchDescriptor<Visit>())
    let sorted = visits.sorted { ($1.duration, $0.start) < ($0.duration, $1.start) }
    checks.equal("a page of visits", try context.fetch(page).map(\.start), sorted.dropFirst(3).prefix(5).map(\.start))
    page.propertiesToFetch = [\.start, \.reason]
    page.relationshipKeyPathsForPrefetching = [\.patient]
    checks.equal("a page with some properties", try context.fetch(page).count, 5)
    checks.equal("identifiers", try context.fetchIdentifiers(FetchDescriptor<Doctor>()).count, 5)
    var numbers = 0
    try context.enumerate(FetchDescriptor<Patient>(), batchSize: 5) { numbers += $0.number }
    checks.equal("sum of numbers", numbers, (101...112).reduce(0, +))
  } catch {
    checks.fail("fetches: \(error)")
  }
}
