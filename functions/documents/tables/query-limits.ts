/** SQLite attaches no more databases to one connection. */
export const maxQueryFiles = 10
export const maxRows = 200
export const maxAnswerCharacters = 60_000
export const maxCsvBytes = 50 * 1024 * 1024
export const maxRecordBytes = 4_000_000
