import Foundation
import SwiftData

enum ClinicMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [
      ClinicSchemaV1.self, ClinicSchemaV2.self, ClinicSchemaV3.self, ClinicSchemaV4.self, ClinicSchemaV5.self,
      ClinicSchemaV6.self,
    ]
  }

  static var stages: [MigrationStage] {
    [mergePatients, renameColumns, splitNames, addInvoices, addWards]
  }

  /// Merges patients that were registered twice, before patient numbers become unique.
  static let mergePatients = MigrationStage.custom(
    fromVersion: ClinicSchemaV1.self, toVersion: ClinicSchemaV2.self,
    willMigrate: { context in
      let order = [SortDescriptor(\ClinicSchemaV1.Patient.number), SortDescriptor(\ClinicSchemaV1.Patient.name)]
      var known: [Int: ClinicSchemaV1.Patient] = [:]
      for patient in try context.fetch(FetchDescriptor(sortBy: order)) {
        guard let original = known[patient.number] else {
          known[patient.number] = patient
          continue
        }
        original.phone = original.phone ?? patient.phone
        original.birth = original.birth ?? patient.birth
        for visit in Array(patient.visits) { visit.patient = original }
        context.delete(patient)
      }
      try context.save()
    }, didMigrate: nil)

  static let renameColumns = MigrationStage.lightweight(
    fromVersion: ClinicSchemaV2.self, toVersion: ClinicSchemaV3.self)

  /// Splits names into two parts, assigns licences, and creates departments from specialties.
  static let splitNames = MigrationStage.custom(
    fromVersion: ClinicSchemaV3.self, toVersion: ClinicSchemaV4.self, willMigrate: nil,
    didMigrate: { context in
      for patient in try context.fetch(FetchDescriptor<ClinicSchemaV4.Patient>()) {
        let words = patient.fullName.split(separator: " ")
        patient.givenName = words.dropLast().joined(separator: " ")
        patient.familyName = words.last.map { String($0) } ?? ""
      }
      var departments: [String: ClinicSchemaV4.Department] = [:]
      let doctors = try context.fetch(
        FetchDescriptor<ClinicSchemaV4.Doctor>(sortBy: [SortDescriptor(\.startedAt)]))
      for (index, doctor) in doctors.enumerated() {
        doctor.licence = "L-\(index + 1)"
        let name = doctor.specialty ?? "General"
        if departments[name] == nil {
          let department = ClinicSchemaV4.Department(name: name)
          context.insert(department)
          departments[name] = department
        }
        doctor.department = departments[name]
      }
      try context.save()
    })

  static let addInvoices = MigrationStage.lightweight(
    fromVersion: ClinicSchemaV4.self, toVersion: ClinicSchemaV5.self)

  /// Keeps only the most severe of equal allergies, and fills in totals, references and codes.
  static let addWards = MigrationStage.custom(
    fromVersion: ClinicSchemaV5.self, toVersion: ClinicSchemaV6.self,
    willMigrate: { context in
      let allergies = try context.fetch(
        FetchDescriptor<ClinicSchemaV5.Allergy>(sortBy: [SortDescriptor(\.severity, order: .reverse)]))
      var seen: Set<String> = []
      for allergy in allergies where !seen.insert("\(allergy.patientNumber) \(allergy.substance)").inserted {
        context.delete(allergy)
      }
      try context.save()
    },
    didMigrate: { context in
      for invoice in try context.fetch(FetchDescriptor<ClinicSchemaV6.Invoice>()) { invoice.updateTotal() }
      for patient in try context.fetch(FetchDescriptor<ClinicSchemaV6.Patient>()) {
        patient.fileCode = "F\(patient.number)"
        for (index, visit) in patient.visits.sorted(by: { $0.start < $1.start }).enumerated() {
          visit.reference = "\(patient.number)/\(index + 1)"
        }
      }
      if context.hasChanges { try context.save() }
    })
}

// The migration plans of earlier releases.

enum PlanOfSecondRelease: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [ClinicSchemaV1.self, ClinicSchemaV2.self] }
  static var stages: [MigrationStage] { [ClinicMigrationPlan.mergePatients] }
}

enum PlanOfThirdRelease: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [ClinicSchemaV1.self, ClinicSchemaV2.self, ClinicSchemaV3.self]
  }

  static var stages: [MigrationStage] { [ClinicMigrationPlan.mergePatients, ClinicMigrationPlan.renameColumns] }
}

enum PlanOfFourthRelease: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [ClinicSchemaV1.self, ClinicSchemaV2.self, ClinicSchemaV3.self, ClinicSchemaV4.self]
  }

  static var stages: [MigrationStage] {
    [ClinicMigrationPlan.mergePatients, ClinicMigrationPlan.renameColumns, ClinicMigrationPlan.splitNames]
  }
}

enum PlanOfFifthRelease: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [ClinicSchemaV1.self, ClinicSchemaV2.self, ClinicSchemaV3.self, ClinicSchemaV4.self, ClinicSchemaV5.self]
  }

  static var stages: [MigrationStage] {
    [
      ClinicMigrationPlan.mergePatients, ClinicMigrationPlan.renameColumns, ClinicMigrationPlan.splitNames,
      ClinicMigrationPlan.addInvoices,
    ]
  }
}
