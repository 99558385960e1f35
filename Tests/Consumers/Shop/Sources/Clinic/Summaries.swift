import Foundation
import SwiftData

/// A model that can be written on one line with all of its values.
protocol Summarised {
  var summary: String { get }
}

/// Returns a line of values, separated by bars.
private func line(_ values: Any?...) -> String {
  values.map(text).joined(separator: " | ")
}

private func text(_ value: Any?) -> String {
  switch value {
  case nil: "-"
  case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
  case let data as Data: data.base64EncodedString()
  case let words as [String: String]: words.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined()
  case let numbers as [String: Int]: numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined()
  case let value?: "\(value)"
  }
}

extension Patient: Summarised {
  var summary: String {
    let person = line(number, fileCode, givenName, familyName, birthDate, phone, email, sex, isActive)
    let file = line(address, contact, coverage, bloodGroup, weights, tags, preferences, photo)
    let related = line(
      visits.map(\.reason).sorted(), prescriptions.map(\.drug).sorted(), allergies.map(\.substance).sorted(),
      admissions.count, immunisations?.count, policy?.policyNumber, invoices.map(\.number).sorted(),
      guardian?.number, dependants.map(\.number).sorted())
    return [person, file, related].joined(separator: " | ")
  }
}

extension Doctor: Summarised {
  var summary: String {
    let values = line(name, licence, employedSince, fee, rating, homepage, isOnCall)
    let related = line(
      department?.name, mentor?.name, trainees.map(\.name).sorted(), visits.count, assistedVisits.count,
      sentReferrals.count, receivedReferrals.count, conversations.map(\.subject).sorted())
    return values + " | " + related
  }
}

extension Visit: Summarised {
  var summary: String {
    let values = line(reference, reason, start, duration, status, triage, notes, priority, pressure, attachments)
    let related = line(
      patient?.number, doctor?.name, assistant?.name, invoice?.number, diagnoses.map(\.code).sorted(),
      labOrders.map(\.sampleCode).sorted())
    return values + " | " + related
  }
}

extension Diagnosis: Summarised {
  var summary: String { line(code, title, severity, isChronic, visit?.start) }
}

extension Prescription: Summarised {
  var summary: String { line(drug, dose, until, refills, patient?.number) }
}

extension Department: Summarised {
  var summary: String { line(name, hours, doctors.map(\.name).sorted(), wards.map(\.name).sorted()) }
}

extension Invoice: Summarised {
  var summary: String {
    line(number, issuedAt, state, total, currency, patient?.number, visit?.start, lines.map(\.text).sorted())
  }
}

extension InvoiceLine: Summarised {
  var summary: String { line(text, amount, quantity, invoice?.number) }
}

extension Allergy: Summarised {
  var summary: String { line(substance, patientNumber, severity, patient?.number) }
}

extension Nurse: Summarised {
  var summary: String { line(name, shift, otherShifts, grade, languages, wards.map(\.name).sorted()) }
}

extension Ward: Summarised {
  var summary: String {
    line(name, floor, department?.name, nurses.map(\.name).sorted(), beds.map(\.number).sorted())
  }
}

extension Bed: Summarised {
  var summary: String { line(number, ward?.name, admission?.admittedAt) }
}

extension Admission: Summarised {
  var summary: String {
    line(admittedAt, dischargedAt, temperatures, remarks, pressure, patient?.number, bed?.number)
  }
}

extension LabOrder: Summarised {
  var summary: String { line(id, sampleCode, orderedAt, urgency, visit?.start, results.map(\.test).sorted()) }
}

extension LabResult: Summarised {
  var summary: String { line(test, value, unit, isAbnormal, curve, order.id) }
}

extension Vaccine: Summarised {
  var summary: String { line(code, name, doses, price, leaflet, immunisations.map(\.batch).sorted()) }
}

extension Immunisation: Summarised {
  var summary: String { line(givenAt, batch, doseNumber, vaccine?.code, patient?.number) }
}

extension InsurancePolicy: Summarised {
  var summary: String { line(company, policyNumber, validUntil, ceiling, holder?.number) }
}

extension Referral: Summarised {
  var summary: String { line(reason, createdAt, acceptedAt, sender?.name, recipient?.name, patient?.number) }
}

extension Conversation: Summarised {
  var summary: String {
    line(subject, isPinned, lastMessageAt, participants.map(\.name).sorted(), notes.map(\.text).sorted())
  }
}

extension Note: Summarised {
  var summary: String { line(text, sentAt, mentions, conversation?.subject, author?.name) }
}

extension AuditEntry: Summarised {
  var summary: String { line(id, subject, action, happenedAt, checksum, changes) }
}

private func summaries<Model: PersistentModel & Summarised>(
  _ type: Model.Type, _ context: ModelContext
) throws -> [String] {
  try context.fetch(FetchDescriptor<Model>()).map { "\(type): \($0.summary)" }.sorted()
}

/// Returns all values in a store, with a line for each model.
func summary(of context: ModelContext) throws -> [String] {
  var lines: [String] = []
  lines += try summaries(Patient.self, context)
  lines += try summaries(Doctor.self, context)
  lines += try summaries(Visit.self, context)
  lines += try summaries(Diagnosis.self, context)
  lines += try summaries(Prescription.self, context)
  lines += try summaries(Department.self, context)
  lines += try summaries(Invoice.self, context)
  lines += try summaries(InvoiceLine.self, context)
  lines += try summaries(Allergy.self, context)
  lines += try summaries(Nurse.self, context)
  lines += try summaries(Ward.self, context)
  lines += try summaries(Bed.self, context)
  lines += try summaries(Admission.self, context)
  lines += try summaries(LabOrder.self, context)
  lines += try summaries(LabResult.self, context)
  lines += try summaries(Vaccine.self, context)
  lines += try summaries(Immunisation.self, context)
  lines += try summaries(InsurancePolicy.self, context)
  lines += try summaries(Referral.self, context)
  lines += try summaries(Conversation.self, context)
  lines += try summaries(Note.self, context)
  lines += try summaries(AuditEntry.self, context)
  return lines
}
