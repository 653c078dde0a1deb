/** The history state that asks the sign-in page to lead to a path afterwards. */
export interface ReturnState {
  from: string
}

/** The query parameter of the chat with the id of the open conversation: `/?c=<id>`. */
export const conversationParameter = 'c'
/** The one with the id of the message to show. */
export const messageParameter = 'm'

/** The address of the settings; that of a section ends with its id, as in `/settings#usage`. */
export const settingsPath = '/settings'

/** The address of the page of the user's files. */
export const filesPath = '/files'

/** The address of the page on which tools are connected. */
export const integrationsPath = '/integrations'

/** What the addresses of the administration begin with. */
export const adminPath = '/admin'
/** The address of the list of users in the administration; that of a user ends with their id. */
export const adminUsersPath = `${adminPath}/users`

/** The address of the list of schedules. */
export const schedulesPath = '/scheduled'
/** The address of the form of a new schedule. */
export const newSchedulePath = `${schedulesPath}/new`
/** The address of the form of a schedule. */
export const schedulePath = (id: string): string => `${schedulesPath}/${encodeURIComponent(id)}`

/** The address of the list of tool calls that wait for the user. */
export const waitingPath = '/waiting'

/** What the addresses of the pages of projects begin with. */
export const projectsPath = '/projects/'
/** The address of the page of a project. */
export const projectPath = (id: string): string => projectsPath + encodeURIComponent(id)
/** The address of the page on which a project is published. */
export const publishPath = (projectId: string): string => `${projectPath(projectId)}/publish`

/** What the addresses of the pages of assistants begin with. */
export const assistantsPath = '/assistants/'
/** The address of the page of an assistant. */
export const assistantPath = (id: string): string => assistantsPath + encodeURIComponent(id)
