export const notOffered = (modelId: string) => `${modelId} (not offered any more)`
export const deleteTitle = (projectName: string) => `Delete “${projectName}”?`
