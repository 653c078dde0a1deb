import { plural, t } from '@lingui/core/macro'

// custom-tools-dialog
export const title = t`Custom Tools`
export const description = (assistantName: string) => t`Your own servers that ${assistantName} may use.`
export const addTitle = t`Add Custom MCP Tool`
export const full = (count: number) =>
  t`You have ${count} custom tools, which is the most. Remove one to add another.`
export const loading = t`Loading custom tools`
export const notLoaded = t`Your custom tools could not be loaded.`
export const noTools = t`No custom tools yet`
export const tools = t`Custom tools`
export const deleteTool = (name: string) => t`Delete ${name}`
export const deleteTitle = (name: string) => t`Delete ${name}?`
export const confirmDelete = t`Delete`
export const deleteHint = (assistantName: string) =>
  t`${assistantName} loses access to it, and its address and key are deleted. To use it again, add it once more.`
export const removed = t`Custom Tool Removed`
export const removedHint = t`Tool has been removed from your collection`
export const removeFailed = t`Failed to Remove Tool`
export const tryAgainHint = t`Please try again.`

// add-tool-dialog
export const nameRequired = t`Tool name is required`
export const added = t`Custom Tool Added`
export const addedHint = (name: string) => t`Successfully added ${name}`
export const addFailed = t`Failed to Add Tool`
export const validationError = t`Validation Error`
export const testConnection = t`Test connection`
export const addTool = t`Add tool`
export const name = t`Name`
export const namePlaceholder = t`Company wiki`
export const descriptionLabel = t`Description`
export const descriptionPlaceholder = t`Custom MCP Tool`
export const serverUrl = t`Server URL`
export const serverUrlPlaceholder = t`https://mcp.example.com`
export const apiKeyHint = t`Stored encrypted. It is never shown again and never sent to the model.`
export const customFields = t`Custom fields`
export const fieldKey = (position: number) => t`Field ${position} key`
export const fieldValue = (position: number) => t`Field ${position} value`
export const removeField = (position: number) => t`Remove field ${position}`
export const key = t`Key`
export const value = t`Value`
export const addField = t`Add field`
export const answersWith = (server: string, tools: number) =>
  plural(tools, { one: `${server} answers with # tool`, other: `${server} answers with # tools` })
export const notAllowed = t`Your administrator does not allow servers of your own. Tools that you added before are not used any more.`
