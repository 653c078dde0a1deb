// custom-tool-key
export const newKey = (name: string) => `New key of ${name}`
export const tryAgainHint = 'Please try again.'
export const saveKey = 'Save and continue'
