/** Constants only, which are inlined: the scripts of panel, page and settings have functions of their own. */

// project-list
export const projects = 'Projects'
export const newProject = 'New project'
export const showFewer = 'Show fewer'
export const listNotLoaded = 'Your projects could not be loaded.'

// new-project-dialog
export const newProjectHint =
  'A place for one topic: its conversations share instructions, files and a choice of model and tools.'
export const name = 'Name'
export const namePlaceholder = 'Thesis, move to Lyon, client work…'
export const create = 'Create project'
export const nameMissing = 'Please enter a name.'

// project-page
export const loading = 'Loading the project'
export const missing = 'This project does not exist any more.'
export const notLoaded = 'The project could not be loaded.'
export const home = 'Back to the chat'
export const subtitle = 'Its conversations share instructions and files'
export const settings = 'Project settings'
export const newChat = 'New chat in this project'
export const conversations = 'Conversations'
export const noConversations =
  'No conversations yet. Start one, or move one here from the menu of its line in the list.'
export const loadingConversations = 'Loading its conversations'
export const conversationsNotLoaded = 'Its conversations could not be loaded.'
export const moreConversations = 'Show more'
export const archived = 'Archived'
export const instructions = 'Instructions'
export const noInstructions = 'None yet. Add some in the settings, and they apply to every conversation here.'

// project-files
export const files = 'Files'
export const filesHint =
  'The assistant knows what stands in these documents. Short ones it reads whole, long ones it searches. Pictures are not shown to it.'
export const addFiles = 'Add files'
export const filesToAdd = 'Files to add to the project'
export const noFiles = 'No files yet.'
export const notRead = 'Its content is not read'
export const fileRemoved = 'File removed'
export const fileRemovedHint = 'It stays among your files.'
export const fileNotRemoved = 'The file could not be removed'

// saved prompts
export const prompts = 'Saved prompts'
export const promptsHint = 'Type / in a conversation of this project to insert one.'

// settings-dialog
export const instructionsLabel = 'Instructions for all its conversations'
export const instructionsPlaceholder = 'What they are about, and how replies should be'
export const instructionsHint =
  'They apply from the next message on, after your own instructions of the settings.'
export const model = 'Model of new conversations'
export const lastModel = 'The one I used last'
export const effort = 'Effort'
export const automaticEffort = 'Automatic'
export const tools = 'Tools of new conversations'
export const toolsHint = 'Each conversation can change them.'
export const save = 'Save'
export const saved = 'Project saved'

// delete-dialog
export const deleteProject = 'Delete project'
export const deleteHint =
  'Its instructions and saved prompts are deleted, and files that nothing else uses. This cannot be undone.'
export const whatOfConversations = 'What becomes of its conversations?'
export const keepConversations = 'Keep them, without a project'
export const deleteConversations = 'Delete them too'
export const deleted = 'Project deleted'

// move-dialog
export const moveTitle = 'Move to project'
export const project = 'Project'
export const noProject = 'No project'
export const move = 'Move'
export const noProjectsYet =
  'You have no projects yet. Create one with “New project” above the conversations.'
export const movedOut = 'Moved out of its project'
export const moveHint = 'Instructions and files of the project apply from the next message on.'
