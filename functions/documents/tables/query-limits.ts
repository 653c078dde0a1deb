/** SQLite attaches no more databases to one connection. */
export const maxQueryFiles = 10
export const maxSqlCharacters = 20_000
export const maxRows = 200
/** Of the rows of an answer as JSON. */
export const maxAnswerCharacters = 60_000
