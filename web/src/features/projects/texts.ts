import { t } from '@lingui/core/macro'

// project-list
export const projects = t`Projects`
export const newProject = t`New project`
export const showFewer = t`Show fewer`
export const listNotLoaded = t`Your projects could not be loaded.`

// new-project-dialog
export const newProjectHint = t`A place for one topic: its conversations share instructions, files and a choice of model and tools.`
export const name = t`Name`
export const namePlaceholder = t`Thesis, move to Lyon, client work…`
export const create = t`Create project`
export const created = (name: string) => t`“${name}” is ready`
export const nameMissing = t`Please enter a name.`

// project-page
export const loading = t`Loading the project`
export const missing = t`This project does not exist any more.`
export const notLoaded = t`The project could not be loaded.`
export const home = t`Back to the chat`
export const subtitle = t`Its conversations share instructions and files`
export const settings = t`Project settings`
export const newChat = t`New chat in this project`
export const conversations = t`Conversations`
export const noConversations = t`No conversations yet. Start one, or move one here from the menu of its line in the list.`
export const loadingConversations = t`Loading its conversations`
export const conversationsNotLoaded = t`Its conversations could not be loaded.`
export const archived = t({ message: 'Archived', context: 'one conversation' })
export const instructions = t`Instructions`
export const noInstructions = t`None yet. Add some in the project settings, and they apply to every conversation here.`

// project-files
export const files = t`Files`
export const filesHint = t`The assistant knows what stands in these documents. Short ones it reads whole, long ones it searches. Pictures are not shown to it.`
export const addFiles = t`Add files`
export const filesToAdd = t`Files to add to the project`
export const noFiles = t`No files yet.`
export const notRead = t`Its content is not read`
export const fileRemoved = t`File removed`
export const fileRemovedHint = t`It stays among your files.`
export const fileNotRemoved = t`The file could not be removed`

// saved prompts
export const prompts = t`Saved prompts`
export const promptsHint = t`Type / in a conversation of this project to insert one.`

// settings-dialog
export const instructionsLabel = t`Instructions for all its conversations`
export const instructionsPlaceholder = t`What they are about, and how replies should be`
export const instructionsHint = t`They apply from the next message on, after your own instructions of the settings.`
export const model = t`Model of new conversations`
export const lastModel = t`The one I used last`
export const effort = t`Effort`
export const automaticEffort = t`Automatic`
export const tools = t`Tools of new conversations`
export const toolsHint = t`Each conversation can change them.`
export const save = t`Save`
export const saved = t`Project saved`

// delete-dialog
export const deleteProject = t`Delete project`
export const deleteHint = t`Its instructions and saved prompts are deleted, and files that nothing else uses. This cannot be undone.`
export const whatOfConversations = t`What becomes of its conversations?`
export const keepConversations = t`Keep them, without a project`
export const deleteConversations = t`Delete them too`
export const deleted = t`Project deleted`

// move-dialog
export const moveTitle = t`Move to project`
export const project = t`Project`
export const noProject = t`No project`
export const move = t`Move`
export const noProjectsYet = t`You have no projects yet. Create one with “New project” above the conversations.`
export const movedOut = t`Moved out of its project`
export const moveHint = t`Instructions and files of the project apply from the next message on.`
