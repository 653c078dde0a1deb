import { maxProjectFiles } from '#shared/limits.ts'
import { maxProjects, maxPrompts } from '../platform/limits.ts'
import { defineErrors } from '../platform/errors.ts'

export const { ProjectNotFound, PromptNotFound, TooManyProjects, TooManyProjectFiles, TooManyPrompts } =
  defineErrors({
    /** Unknown, deleted or another user's: the response does not say which. */
    ProjectNotFound: [404, 'project_not_found', 'This project does not exist any more.'],
    PromptNotFound: [404, 'prompt_not_found', 'This prompt does not exist any more.'],
    TooManyProjects: [
      409,
      'too_many_projects',
      `You have ${maxProjects} projects, which is the most. Delete one first.`,
    ],
    TooManyProjectFiles: [
      409,
      'too_many_project_files',
      `A project has room for ${maxProjectFiles} files. Remove some first.`,
    ],
    TooManyPrompts: [
      409,
      'too_many_prompts',
      `You have ${maxPrompts} saved prompts, which is the most. Delete one first.`,
    ],
  })
