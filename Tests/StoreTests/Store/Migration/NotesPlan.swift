import NotesV1
import NotesV2
import Trellis

/// Three versions; the last two differ only in their values.
enum Notes {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [NotesV1.Note.self, NotesV1.Draft.self, NotesV1.Folder.self, NotesV1.Tag.self, NotesV1.Log.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [NotesV2.Note.self, NotesV2.Draft.self, NotesV2.Binder.self, NotesV2.Tag.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum V3: VersionedSchema {
    static var models: [any PersistentModel.Type] { V2.models }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  /// A version with a required property without default.
  enum Greedy: VersionedSchema {
    static var models: [any PersistentModel.Type] { V1.models }
    static var versionIdentifier: Schema.Version { Schema.Version(4, 0, 0) }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: V2.self, toVersion: V3.self,
          willMigrate: { context in
            for note in try context.fetch(FetchDescriptor<NotesV2.Note>()) where note.binder == nil {
              context.delete(note)
            }
            try context.save()
          },
          didMigrate: { context in
            let tag = NotesV2.Tag(word: "migrated")
            tag.notes = try context.fetch(FetchDescriptor<NotesV2.Note>())
            context.insert(tag)
            try context.save()
            context.insert(NotesV2.Tag(word: "never saved"))
          })
      ]
    }
  }

  enum Backwards: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, Greedy.self] }
    static var stages: [MigrationStage] {
      [.lightweight(fromVersion: V2.self, toVersion: V1.self)]
    }
  }

  enum Demanding: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self, Greedy.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// A fill sets the value of a required property, and custom code reads both versions.
  enum Filling: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self, Greedy.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V2.self, toVersion: Greedy.self,
          [
            .fill(NotesV2.Note.Snapshot.self, NotesV1.Note.Snapshot.self, ["title", "size"]) { old, new in
              new.title = old.headline.uppercased()
              new.size = Int32(clamping: old.size)
            },
            .custom("logs") { rows in
              for note in try rows.old.fetch(FetchDescriptor<NotesV2.Note>()) {
                rows.new.insert(NotesV1.Log(text: "\(note.headline) was \(note.size)"))
              }
            },
            .dedupe(NotesV1.Tag.self, on: ["word"]),
          ])
      ]
    }
  }
}
