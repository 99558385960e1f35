-- Harbor 2.0.0

CREATE TABLE "trellis_metadata" (
  "key" TEXT NOT NULL,
  "value" ANY,
  PRIMARY KEY ("key")
) STRICT, WITHOUT ROWID;

CREATE TABLE "trellis_history" (
  "id" INTEGER PRIMARY KEY,
  "time" ANY NOT NULL,
  "author" TEXT,
  "bundle" TEXT NOT NULL,
  "process" TEXT NOT NULL,
  "changes" BLOB
) STRICT;

CREATE TABLE "trellis_tombstones" (
  "transaction" INTEGER NOT NULL,
  "entity" INTEGER NOT NULL,
  "key" INTEGER NOT NULL,
  "part" INTEGER NOT NULL,
  "v0" ANY,
  "v1" ANY,
  "v2" ANY,
  "v3" ANY,
  "v4" ANY,
  "v5" ANY,
  "v6" ANY,
  "v7" ANY,
  PRIMARY KEY ("transaction", "entity", "key", "part")
) STRICT, WITHOUT ROWID;

CREATE TABLE "trellis_history_names" (
  "epoch" INTEGER PRIMARY KEY,
  "names" TEXT NOT NULL
) STRICT;

CREATE TABLE "Sailor_voyages" (
  "Sailor" INTEGER NOT NULL REFERENCES "Sailor" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  "Voyage" INTEGER NOT NULL REFERENCES "Voyage" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  "watch_position" INTEGER,
  PRIMARY KEY ("Sailor", "Voyage")
) STRICT, WITHOUT ROWID;

CREATE INDEX "Sailor_voyages_Voyage_index" ON "Sailor_voyages" ("Voyage", "Sailor");

CREATE TABLE "Vessel" (
  "id" INTEGER PRIMARY KEY,
  "entity" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "port" TEXT NOT NULL,
  "built" ANY,
  "callSign" TEXT,
  "tonnage" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "position" TEXT,
  "flags" TEXT NOT NULL,
  "hours" TEXT NOT NULL,
  "photo" ANY,
  "registry" INTEGER,
  "registry_country" TEXT,
  "registry_number" INTEGER,
  "visits" INTEGER NOT NULL,
  "pull" ANY
) STRICT;

CREATE UNIQUE INDEX "Vessel_callSign_unique" ON "Vessel" ("callSign");

CREATE UNIQUE INDEX "Vessel_name_port_unique" ON "Vessel" ("name", "port");

CREATE INDEX "Vessel_name_index" ON "Vessel" ("name");

CREATE INDEX "Vessel_port_built_index" ON "Vessel" ("port", "built");

CREATE TABLE "Voyage" (
  "id" INTEGER PRIMARY KEY,
  "start" ANY NOT NULL,
  "length" INTEGER NOT NULL,
  "latitude" ANY NOT NULL,
  "longitude" ANY NOT NULL,
  "vessel" INTEGER NOT NULL REFERENCES "Vessel" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "Voyage_vessel_index" ON "Voyage" ("vessel");

CREATE INDEX "Voyage_latitude_longitude_index" ON "Voyage" ("latitude", "longitude");

CREATE TABLE "Sailor" (
  "id" INTEGER PRIMARY KEY,
  "number" INTEGER NOT NULL,
  "rank" INTEGER NOT NULL,
  "vessel" INTEGER REFERENCES "Vessel" DEFERRABLE INITIALLY DEFERRED,
  "mentor" INTEGER REFERENCES "Sailor" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX "Sailor_vessel_index" ON "Sailor" ("vessel");

CREATE INDEX "Sailor_mentor_index" ON "Sailor" ("mentor");

CREATE UNIQUE INDEX "Sailor_number_unique" ON "Sailor" ("number");

CREATE TABLE IF NOT EXISTS "trellis_discarded_files"
("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE) STRICT;

CREATE TRIGGER "trellis_Vessel_photo_replaced" AFTER UPDATE OF "photo"
ON "Vessel" WHEN typeof(old."photo") = 'text'
AND old."photo" IS NOT new."photo"
BEGIN INSERT OR IGNORE INTO "trellis_discarded_files" ("name") VALUES (old."photo"); END;

CREATE TRIGGER "trellis_Vessel_photo_deleted" AFTER DELETE ON "Vessel"
WHEN typeof(old."photo") = 'text' BEGIN INSERT OR IGNORE INTO "trellis_discarded_files" ("name") VALUES (old."photo"); END;
