#include "store/entry_table.h"

bool entry_table_prepare(struct store *store, struct error *error) {
    struct database *database = store->database;

    store->insert_name =
        database_take(database, "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
    store->insert_actor =
        database_take(database, "INSERT INTO actor VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->insert_object =
        database_take(database, "INSERT INTO object VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->rename_name =
        database_take(database, "UPDATE name SET text = ?2, component = ?3 WHERE id = ?1", error);
    store->rename_actor = database_take(
        database, "UPDATE actor SET pid = ?2, tid = ?3, name = ?4 WHERE id = ?1", error);
    return store->insert_name != NULL && store->insert_actor != NULL &&
           store->insert_object != NULL && store->rename_name != NULL &&
           store->rename_actor != NULL;
}

static bool write_name(struct store *store, uint32_t id, const struct name_entry *name,
                       struct error *error) {
    sqlite3_stmt *insert = store->insert_name;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_text(insert, 3, name->kind, -1, SQLITE_STATIC);
    database_bind_optional(insert, 4, name->code);
    sqlite3_bind_text(insert, 5, name->text, (int)name->length, SQLITE_STATIC);
    database_bind_optional(insert, 6, name->component == 0 ? EVENT_NONE : name->component);
    return database_execute(store->database, insert, error);
}

static bool write_actor(struct store *store, uint32_t id, const struct actor_entry *actor,
                        struct error *error) {
    sqlite3_stmt *insert = store->insert_actor;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_int64(insert, 3, actor->session);
    database_bind_optional(insert, 4, actor->pid);
    database_bind_optional(insert, 5, actor->tid);
    database_bind_optional(insert, 6, actor->code);
    sqlite3_bind_text(insert, 7, actor->name, (int)actor->length, SQLITE_STATIC);
    return database_execute(store->database, insert, error);
}

static bool write_object(struct store *store, uint32_t id, const struct object_entry *object,
                         struct error *error) {
    sqlite3_stmt *insert = store->insert_object;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_text(insert, 3, object->name, (int)object->length, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, object->type, -1, SQLITE_STATIC);
    database_bind_optional(insert, 5, object->device);
    database_bind_optional(insert, 6, object->inode == 0 ? EVENT_NONE : object->inode);
    database_bind_optional(insert, 7, object->inode == 0 ? EVENT_NONE : object->generation);
    return database_execute(store->database, insert, error);
}

static bool rename_name(struct store *store, uint32_t id, const struct name_entry *name,
                        struct error *error) {
    sqlite3_stmt *update = store->rename_name;

    sqlite3_bind_int64(update, 1, id);
    sqlite3_bind_text(update, 2, name->text, (int)name->length, SQLITE_STATIC);
    database_bind_optional(update, 3, name->component == 0 ? EVENT_NONE : name->component);
    return database_execute(store->database, update, error);
}

static bool rename_actor(struct store *store, uint32_t id, const struct actor_entry *actor,
                         struct error *error) {
    sqlite3_stmt *update = store->rename_actor;

    sqlite3_bind_int64(update, 1, id);
    database_bind_optional(update, 2, actor->pid);
    database_bind_optional(update, 3, actor->tid);
    sqlite3_bind_text(update, 4, actor->name, (int)actor->length, SQLITE_STATIC);
    return database_execute(store->database, update, error);
}

static bool write_probe(struct store *store, uint32_t name, const struct probe_entry *probe,
                        struct error *error) {
    return database_change(
        store->database, error, "INSERT OR REPLACE INTO probe VALUES (?1, ?2, ?3, ?4, ?5)", "iissi",
        store->trace, (int64_t)name, probe->resolution, probe->origin, (int64_t)probe->on);
}

bool store_entry(struct store *store, const struct entry *entry, struct error *error) {
    switch (entry->table) {
    case ENTRY_NAME:
        return write_name(store, entry->id, &entry->name, error);
    case ENTRY_ACTOR:
        return write_actor(store, entry->id, &entry->actor, error);
    case ENTRY_OBJECT:
        return write_object(store, entry->id, &entry->object, error);
    case ENTRY_RENAME:
        return rename_name(store, entry->id, &entry->name, error);
    case ENTRY_RENAME_ACTOR:
        return rename_actor(store, entry->id, &entry->actor, error);
    default:
        return write_probe(store, entry->id, &entry->probe, error);
    }
}

void entry_table_close(struct store *store) {
    sqlite3_stmt **const statements[] = {
        &store->insert_name, &store->insert_actor, &store->insert_object,
        &store->rename_name, &store->rename_actor,
    };

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        database_keep(store->database, *statements[i]);
        *statements[i] = NULL;
    }
}
