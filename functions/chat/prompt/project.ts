// code that the chat loads with the first conversation of a project, as one chunk (ADR 0035)
export { projectRepository } from '../../projects/project-repository.ts'
export { addProjectFiles, loadProjectContext } from './project-context.ts'
