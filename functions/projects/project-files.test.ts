import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { fileRepository } from '../files/file-repository.ts'
import { listUses } from '../files/file-row.ts'
import { changeProject, findProjectFiles, openProject } from './project-files.ts'
import { projectRepository } from './project-repository.ts'

const table = await openTestTable()
afterAll(() => table.close())
const projects = projectRepository(table)
const files = fileRepository(table)
const sub = 'ann'
const put = (id: string, state: 'incoming' | 'ready') =>
  files.put(sub, {
    id,
    name: `${id}.txt`,
    type: 'text/plain',
    size: 1,
    state,
    created_at: new Date().toISOString(),
  })

it('a project shows its finished files alone, and refuses others', async () => {
  await put('done', 'ready')
  await put('coming', 'incoming')
  await put('gone', 'ready')
  const { id } = await projects.create(sub, { name: 'Thesis' })
  // an upload that was named before it ended, and a file that is being deleted
  const stored = await projects.update(sub, id, { add_files: ['done', 'coming', 'gone'] })
  await files.markDeleted(sub, 'gone')
  expect((await findProjectFiles(files, sub, stored)).map((file) => file.id)).toEqual(['done'])
  expect((await openProject(files, sub, stored)).files.map((file) => file.id)).toEqual(['done'])
  const change = (add: string) => changeProject({ projects, files }, sub, id, { add_files: [add] })
  await expect(change('coming')).rejects.toMatchObject({ code: 'attachment_unfinished' })
  await expect(change('gone')).rejects.toMatchObject({ code: 'attachment_not_found' })
})

it('a file that a project gives up stays among the files, and is the project’s no more; both can be repeated', async () => {
  await put('f', 'ready')
  const { id } = await projects.create(sub, { name: 'Other' })
  for (const change of [{ add_files: ['f'] }, { remove_files: ['f'] }])
    for (let time = 0; time < 2; time += 1) {
      await changeProject({ projects, files }, sub, id, change)
      const uses = listUses(await files.find(sub, 'f')).project_ids
      expect(uses).toEqual('add_files' in change ? [id] : [])
    }
})
