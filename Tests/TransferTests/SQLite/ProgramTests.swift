import Foundation
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Databases of four kinds of programs. The schema files beside this file are the results of the imports, and the
/// stores are read with their classes.
@Suite struct ProgramTests {
  private func expect(_ draft: SchemaDraft, _ file: String) throws {
    let expected = try Repository.text("Tests/TransferTests/SQLite/\(file).schema")
    #expect(draft.text == expected)
  }

  private func container(_ schema: Schema, _ source: SQLiteSource) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: source.store))
  }

  @Test func room() throws {
    let source = try SQLiteSource("notes.db", Self.room)
    let copy = try source.copy("RoomNotes", dates: ["notes.createdAt=milliseconds"])
    try expect(copy.draft, "RoomNotes")
    #expect(copy.report.isComplete)
    #expect(copy.report.counts == ["notebooks": 2, "notes": 3, "tags": 2, "NoteTagCrossRef": 3])
    #expect(
      copy.draft.database.skipped.map(\.reason) == ["contains Android's locale", "records migrations of Room"])
    let context = ModelContext(try container(Schema(Notebook.self, Note.self, Tag.self), source))
    let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.title)]))
    #expect(notes.map(\.title) == ["Buy milk", "Call Ada", "Pack"])
    #expect(notes.map(\.isDone) == [true, false, false])
    #expect(notes.map(\.notebook?.title) == ["Home", "Home", nil])
    #expect(notes[0].createdAt == Date(timeIntervalSince1970: 1_700_000_000.5))
    #expect(Set(notes[0].tags.map(\.label)) == ["urgent", "shop"])
    // New rows continue after the copied keys.
    let added = Note(title: "New", isDone: false, createdAt: .now, priority: 1)
    context.insert(added)
    try context.save()
    #expect(try copy.rows("SELECT max(id) FROM Note") == [[.integer(13)]])
  }

  private static let room = """
    CREATE TABLE android_metadata (locale TEXT);
    INSERT INTO android_metadata VALUES ('en_US');
    CREATE TABLE room_master_table (id INTEGER PRIMARY KEY, identity_hash TEXT);
    INSERT INTO room_master_table VALUES (42, 'c103703e120ae8cc73c9248622f3cd1e');
    CREATE TABLE IF NOT EXISTS `notebooks` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS `notes` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `title` TEXT NOT NULL,
      `isDone` INTEGER NOT NULL, `createdAt` INTEGER NOT NULL, `priority` INTEGER NOT NULL DEFAULT 1, `body` TEXT,
      `notebook_id` INTEGER, FOREIGN KEY(`notebook_id`) REFERENCES `notebooks`(`id`) ON UPDATE NO ACTION ON DELETE CASCADE);
    CREATE INDEX IF NOT EXISTS `index_notes_notebook_id` ON `notes` (`notebook_id`);
    CREATE INDEX IF NOT EXISTS `index_notes_priority_title` ON `notes` (`priority`, `title`);
    CREATE TABLE IF NOT EXISTS `tags` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `label` TEXT NOT NULL);
    CREATE UNIQUE INDEX IF NOT EXISTS `index_tags_label` ON `tags` (`label`);
    CREATE TABLE IF NOT EXISTS `NoteTagCrossRef` (`noteId` INTEGER NOT NULL, `tagId` INTEGER NOT NULL,
      PRIMARY KEY(`noteId`, `tagId`),
      FOREIGN KEY(`noteId`) REFERENCES `notes`(`id`) ON UPDATE NO ACTION ON DELETE CASCADE,
      FOREIGN KEY(`tagId`) REFERENCES `tags`(`id`) ON UPDATE NO ACTION ON DELETE CASCADE);
    INSERT INTO notebooks VALUES (1, 'Home'), (5, 'Work');
    INSERT INTO notes VALUES (1, 'Buy milk', 1, 1700000000500, 2, NULL, 1), (7, 'Call Ada', 0, 1700000100000, 1, 'soon', 1),
      (12, 'Pack', 0, 1700000200000, 1, NULL, NULL);
    INSERT INTO tags VALUES (1, 'urgent'), (2, 'shop');
    INSERT INTO NoteTagCrossRef VALUES (1, 1), (1, 2), (7, 1);
    """

  @Test func django() throws {
    let source = try SQLiteSource("db.sqlite3", Self.django)
    let copy = try source.copy("DjangoBlog", dates: ["all"])
    try expect(copy.draft, "DjangoBlog")
    #expect(
      copy.draft.notes.map(\.message).contains(
        "the pairs' own keys are not kept: the table becomes 'AuthUser.groups'"))
    #expect(copy.report.isComplete)
    #expect(
      copy.report.counts == [
        "auth_user": 2, "auth_group": 1, "auth_user_groups": 2, "blog_post": 2, "blog_category": 2,
        "blog_post_categories": 2,
      ])
    let context = ModelContext(
      try container(Schema(AuthUser.self, AuthGroup.self, BlogPost.self, BlogCategory.self), source))
    let posts = try context.fetch(FetchDescriptor<BlogPost>(sortBy: [SortDescriptor(\.title)]))
    #expect(posts.map(\.author.username) == ["ada", "grace"])
    #expect(posts[0].rating == Decimal(string: "4.50"))
    #expect(posts[0].publishedAt == Date(timeIntervalSince1970: 1_714_557_600.123456))
    #expect(posts[0].categories.map(\.name).sorted() == ["Math", "News"])
    #expect(posts[0].author.groups.map(\.name) == ["editors"])
    #expect(posts[1].status == .draft)
    #expect(posts[1].author.isActive == false)
  }

  private static let django = """
    CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL,
      "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
    INSERT INTO django_migrations VALUES (1, 'auth', '0001_initial', '2024-05-01 10:00:00');
    CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
    CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "username" varchar(150) NOT NULL UNIQUE,
      "is_active" bool NOT NULL, "last_login" datetime NULL, "date_joined" datetime NOT NULL);
    CREATE TABLE "auth_user_groups" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
      "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED,
      "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED);
    CREATE UNIQUE INDEX "auth_user_groups_user_id_group_id_94350c0c_uniq" ON "auth_user_groups" ("user_id", "group_id");
    CREATE INDEX "auth_user_groups_user_id_6a12ed8b" ON "auth_user_groups" ("user_id");
    CREATE TABLE "blog_category" ("id" bigint NOT NULL PRIMARY KEY, "name" varchar(50) NOT NULL,
      "slug" varchar(50) NOT NULL UNIQUE);
    CREATE TABLE "blog_post" ("id" char(32) NOT NULL PRIMARY KEY, "title" varchar(200) NOT NULL, "rating" decimal NOT NULL,
      "published_at" datetime NULL, "status" varchar(10) NOT NULL CHECK ("status" IN ('draft', 'live', 'on-hold')),
      "view_count" integer unsigned NOT NULL CHECK ("view_count" >= 0),
      "author_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED);
    CREATE INDEX "blog_post_author_id_dd7a8485" ON "blog_post" ("author_id");
    CREATE TABLE "blog_post_categories" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
      "post_id" char(32) NOT NULL REFERENCES "blog_post" ("id") DEFERRABLE INITIALLY DEFERRED,
      "category_id" bigint NOT NULL REFERENCES "blog_category" ("id") DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO auth_group VALUES (1, 'editors');
    INSERT INTO auth_user VALUES (1, 'ada', 1, '2024-05-02 08:00:00', '2024-05-01 10:00:00.5'),
      (2, 'grace', 0, NULL, '2024-05-01 11:00:00');
    INSERT INTO auth_user_groups VALUES (1, 1, 1), (2, 2, 1);
    INSERT INTO blog_category VALUES (10, 'Math', 'math'), (20, 'News', 'news');
    INSERT INTO blog_post VALUES
      ('0f8fad5bd9cb469fa16570867728950e', 'A', 4.5, '2024-05-01 10:00:00.123456', 'live', 7, 1),
      ('7c9e6679742540de944be07fc1f90ae7', 'B', 3, NULL, 'draft', 0, 2);
    INSERT INTO blog_post_categories VALUES (1, '0f8fad5bd9cb469fa16570867728950e', 10),
      (2, '0f8fad5bd9cb469fa16570867728950e', 20);
    """

  @Test func fluent() throws {
    let source = try SQLiteSource("db.sqlite", Self.fluent)
    let copy = try source.copy("FluentSolar", dates: ["all", "planet_tag.created_at=unix"])
    try expect(copy.draft, "FluentSolar")
    #expect(copy.report.isComplete)
    #expect(copy.report.counts == ["galaxies": 1, "planets": 2, "solar_tags": 2, "planet_tag": 3])
    let context = ModelContext(
      try container(Schema(Galaxy.self, Planet.self, SolarTag.self, PlanetTag.self), source))
    let planets = try context.fetch(FetchDescriptor<Planet>(sortBy: [SortDescriptor(\.name)]))
    #expect(planets.map(\.name) == ["Earth", "Mars"])
    #expect(planets.map(\.galaxy.name) == ["Milky Way", "Milky Way"])
    #expect(planets[0].id == UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    #expect(planets[0].planetTags.map(\.tag.name).sorted() == ["blue", "small"])
    #expect(planets[1].planetTags.map(\.createdAt) == [Date(timeIntervalSince1970: 1_700_000_000.25)])
    #expect(planets.map(\.kind) == ["rocky", "rocky"])
  }

  private static let fluent = """
    CREATE TABLE "_fluent_migrations" ("id" UUID PRIMARY KEY, "name" TEXT NOT NULL, "batch" INTEGER NOT NULL,
      "created_at" REAL, "updated_at" REAL, CONSTRAINT "uq:_fluent_migrations.name" UNIQUE ("name"));
    CREATE TABLE "galaxies" ("id" UUID PRIMARY KEY, "name" TEXT NOT NULL);
    CREATE TABLE "planets" ("id" UUID PRIMARY KEY, "name" TEXT NOT NULL, "kind" TEXT NOT NULL, "mass" REAL,
      "galaxy_id" UUID NOT NULL REFERENCES "galaxies" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
      CONSTRAINT "uq:planets.name" UNIQUE ("name"));
    CREATE TABLE "solar_tags" ("id" BLOB PRIMARY KEY, "name" TEXT NOT NULL);
    CREATE TABLE "planet_tag" ("id" UUID PRIMARY KEY,
      "planet_id" UUID NOT NULL REFERENCES "planets" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
      "tag_id" BLOB NOT NULL REFERENCES "solar_tags" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, "created_at" REAL,
      CONSTRAINT "uq:planet_tag.planet_id+planet_tag.tag_id" UNIQUE ("planet_id", "tag_id"));
    INSERT INTO galaxies VALUES ('6BA7B811-9DAD-11D1-80B4-00C04FD430C8', 'Milky Way');
    INSERT INTO planets VALUES
      ('6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 'Earth', 'rocky', 5.97, '6BA7B811-9DAD-11D1-80B4-00C04FD430C8'),
      ('6BA7B812-9DAD-11D1-80B4-00C04FD430C8', 'Mars', 'rocky', NULL, '6BA7B811-9DAD-11D1-80B4-00C04FD430C8');
    INSERT INTO solar_tags VALUES (x'00000000000000000000000000000001', 'small'),
      (x'00000000000000000000000000000002', 'blue');
    INSERT INTO planet_tag VALUES
      ('11111111-9DAD-11D1-80B4-00C04FD430C8', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8',
        x'00000000000000000000000000000001', 1700000000.5),
      ('22222222-9DAD-11D1-80B4-00C04FD430C8', '6BA7B810-9DAD-11D1-80B4-00C04FD430C8',
        x'00000000000000000000000000000002', NULL),
      ('33333333-9DAD-11D1-80B4-00C04FD430C8', '6BA7B812-9DAD-11D1-80B4-00C04FD430C8',
        x'00000000000000000000000000000001', 1700000000.25);
    """

  @Test func grdb() throws {
    let source = try SQLiteSource("library.sqlite", Self.grdb)
    let copy = try source.copy("GRDBLibrary", dates: ["book.publishedAt=iso", "chapter.readAt=julian"])
    try expect(copy.draft, "GRDBLibrary")
    #expect(copy.report.isComplete)
    #expect(copy.report.counts == ["author": 2, "authorProfile": 1, "book": 2, "chapter": 3, "bookmark": 2])
    let skipped = copy.draft.database.skipped.map { "\($0.kind) \($0.name)" }
    #expect(skipped.contains("virtual table book_ft"))
    #expect(skipped.contains("trigger __book_ft_ai"))
    #expect(skipped.contains("view bookInfo"))
    #expect(skipped.contains("table grdb_migrations"))
    let context = ModelContext(
      try container(
        Schema(Author.self, AuthorProfile.self, Book.self, Chapter.self, Bookmark.self), source))
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    #expect(books.map(\.title) == ["Dune", "Emma"])
    #expect(books[0].publishedAt == Date(timeIntervalSince1970: 1_714_557_600.25))
    #expect(books[0].tags == "[\"sf\",\"desert\"]")
    #expect(books[0].titleLength == 4)
    #expect(books[0].author?.authorProfile?.site == "https://example.org")
    #expect(books[0].chapters.sorted { $0.number < $1.number }.map(\.heading) == ["I", "II"])
    let marks = try context.fetch(FetchDescriptor<Bookmark>(sortBy: [SortDescriptor(\.note)]))
    #expect(marks.map(\.chapter?.heading) == ["II", nil])
    #expect(marks.map(\.chapterNumber) == [2, nil])
  }

  private static let grdb = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "author" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL COLLATE NOCASE,
      "country" TEXT NOT NULL DEFAULT 'IS');
    CREATE TABLE "authorProfile" ("authorId" INTEGER PRIMARY KEY REFERENCES "author"("id") ON DELETE CASCADE,
      "site" TEXT);
    CREATE TABLE "book" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "authorId" INTEGER REFERENCES "author"("id") ON DELETE SET NULL,
      "title" TEXT NOT NULL, "publishedAt" DATETIME, "tags" TEXT, "cover" BLOB, "price" DOUBLE NOT NULL DEFAULT 9.5,
      "titleLength" INTEGER GENERATED ALWAYS AS (length("title")) STORED);
    CREATE INDEX "book_on_authorId" ON "book"("authorId");
    CREATE TABLE "chapter" ("bookId" INTEGER NOT NULL REFERENCES "book"("id") ON DELETE CASCADE, "number" INTEGER NOT NULL,
      "heading" TEXT NOT NULL, "readAt" DOUBLE, PRIMARY KEY ("bookId", "number")) WITHOUT ROWID;
    CREATE TABLE "bookmark" ("uuid" TEXT NOT NULL PRIMARY KEY, "note" TEXT NOT NULL, "bookId" INTEGER,
      "chapterNumber" INTEGER,
      FOREIGN KEY ("bookId", "chapterNumber") REFERENCES "chapter"("bookId", "number") ON DELETE RESTRICT);
    CREATE VIRTUAL TABLE "book_ft" USING fts5(title, content='book', content_rowid='id');
    CREATE TRIGGER "__book_ft_ai" AFTER INSERT ON "book" BEGIN
      INSERT INTO "book_ft"("rowid", "title") VALUES (new."id", new."title"); END;
    CREATE VIEW "bookInfo" AS SELECT book.title, author.name FROM book JOIN author ON author.id = book.authorId;
    INSERT INTO author (id, name) VALUES (1, 'Frank'), (2, 'Jane');
    INSERT INTO authorProfile VALUES (1, 'https://example.org');
    INSERT INTO book (id, authorId, title, publishedAt, tags, cover) VALUES
      (3, 1, 'Dune', '2024-05-01 10:00:00.250', '["sf","desert"]', x'00ff'), (9, 2, 'Emma', NULL, NULL, NULL);
    INSERT INTO chapter VALUES (3, 1, 'I', 2460432.25), (3, 2, 'II', NULL), (9, 1, 'Volume I', NULL);
    INSERT INTO bookmark VALUES ('a1', 'at two', 3, 2), ('b2', 'nowhere', NULL, NULL);
    """
}
