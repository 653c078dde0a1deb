/** Name of the API key in the stored credentials; no form field can have it. */
export const apiKeyField = 'api-key'

/** Name of a whole address with a query, which may contain a key. */
export const addressField = 'address'
