import { maxProjectFiles } from '#shared/limits.ts'
import { projectSentences } from '#shared/sentences/projects.ts'
import { maxProjects, maxPrompts } from '../platform/limits.ts'
import { defineErrors } from '../platform/errors.ts'

export const { ProjectNotFound, PromptNotFound, TooManyProjects, TooManyProjectFiles, TooManyPrompts } =
  defineErrors(projectSentences, {
    /** Unknown, deleted or another user's: the response does not say which. */
    ProjectNotFound: [404, 'project_not_found'],
    PromptNotFound: [404, 'prompt_not_found'],
    TooManyProjects: [409, 'too_many_projects', { params: { max: maxProjects } }],
    TooManyProjectFiles: [409, 'too_many_project_files', { params: { max: maxProjectFiles } }],
    TooManyPrompts: [409, 'too_many_prompts', { params: { max: maxPrompts } }],
  })
