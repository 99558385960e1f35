public import Trellis

// Written by hand: the custom migration steps that the schema requires.
nonisolated extension InheritanceMigrationPlan {
  public static func oneJourneyForEachTeacher(_ migration: MigrationRows) throws {
    for teacher in try migration.old.fetch(FetchDescriptor<InheritanceSchema.V2_0_0.Traveller>()) {
      for journey in teacher.taught.dropFirst() {
        let identifier = migration.identifier(of: journey.persistentModelID, as: SchoolJourney.self)
        (migration.new.model(for: identifier) as? SchoolJourney)?.teacher = nil
      }
    }
  }
}
