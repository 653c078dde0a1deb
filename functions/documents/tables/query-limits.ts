/** SQLite attaches no more databases to one connection. */
export const maxQueryFiles = 10
export const maxRows = 200
/** Of the rows of an answer as JSON. */
export const maxAnswerCharacters = 60_000
/** Of a result that is downloaded. */
export const maxCsvBytes = 50 * 1024 * 1024
/** Of the lists that tools returned in a reply, as JSON: a request to the parser has 6 MB. */
export const maxRecordBytes = 4_000_000
