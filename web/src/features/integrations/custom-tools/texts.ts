import { plural } from '../../../lib/plural.ts'

// custom-tools-dialog
export const title = 'Custom Tools'
export const description = (assistantName: string) => `Your own servers that ${assistantName} may use.`
export const addTitle = 'Add Custom MCP Tool'
export const full = (count: number) =>
  `You have ${count} custom tools, which is the most. Remove one to add another.`
export const loading = 'Loading custom tools'
export const notLoaded = 'Your custom tools could not be loaded.'
export const noTools = 'No custom tools yet'
export const tools = 'Custom tools'
export const deleteTool = (name: string) => `Delete ${name}`
export const deleteTitle = (name: string) => `Delete ${name}?`
export const confirmDelete = 'Delete'
export const deleteHint = (assistantName: string) =>
  `${assistantName} loses access to it, and its address and key are deleted. To use it again, add it once more.`
export const removed = 'Custom Tool Removed'
export const removedHint = 'Tool has been removed from your collection'
export const removeFailed = 'Failed to Remove Tool'
export const tryAgainHint = 'Please try again.'

// add-tool-dialog
export const nameRequired = 'Tool name is required'
export const added = 'Custom Tool Added'
export const addedHint = (name: string) => `Successfully added ${name}`
export const addFailed = 'Failed to Add Tool'
export const validationError = 'Validation Error'
export const testConnection = 'Test connection'
export const addTool = 'Add tool'
export const name = 'Name'
export const namePlaceholder = 'Roast log'
export const descriptionLabel = 'Description'
export const descriptionPlaceholder = 'Custom MCP Tool'
export const serverUrl = 'Server URL'
export const serverUrlPlaceholder = 'https://mcp.example.com'
export const apiKeyHint = 'Stored encrypted. It is never shown again and never sent to the model.'
export const customFields = 'Custom fields'
export const fieldKey = (position: number) => `Field ${position} key`
export const fieldValue = (position: number) => `Field ${position} value`
export const removeField = (position: number) => `Remove field ${position}`
export const key = 'Key'
export const value = 'Value'
export const addField = 'Add field'
export const answersWith = (server: string, tools: number) =>
  plural(tools, { one: `${server} answers with 1 tool`, other: `${server} answers with ${tools} tools` })
export const notAllowed =
  'Your administrator does not allow servers of your own. Tools that you added before are not used any more.'
