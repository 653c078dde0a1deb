/** Name of the API key in the stored credentials; no form field can have it. */
export const apiKeyField = 'api-key'
