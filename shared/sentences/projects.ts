import { defineSentences } from './to-sentence.ts'

/** Errors of projects and saved prompts. */
export const projectSentences = {
  project_not_found: 'This project does not exist any more.',
  prompt_not_found: 'This prompt does not exist any more.',
  too_many_projects: 'You have {max} projects, which is the most. Delete one first.',
  too_many_project_files: 'A project has room for {max} files. Remove some first.',
  too_many_prompts: 'You have {max} saved prompts, which is the most. Delete one first.',
  'bad_request.empty_name': 'The name is empty.',
} as const

export const sayProject = defineSentences(projectSentences)
