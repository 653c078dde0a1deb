import { afterAll, expect, it } from 'vitest'
import { maxProjectFiles } from '#shared/limits.ts'
import { openTestTable } from '../../test/support/table.ts'
import { projectRepository } from './project-repository.ts'

const table = await openTestTable()
afterAll(() => table.close())
const projects = projectRepository(table)
const sub = 'ann'

it('a change beside a text that is stored already is stored', async () => {
  const { id } = await projects.create(sub, { name: 'Thesis', instructions: 'Be brief.' })
  const change = { instructions: 'Be long.', instructions_seen: 'Be brief.' }
  await projects.update(sub, id, change)
  await projects.update(sub, id, { ...change, model: 'other' })
  expect(await projects.find(sub, id)).toMatchObject({ instructions: 'Be long.', model: 'other' })
  const late = { instructions: 'Be kind.', instructions_seen: 'Be brief.', model: 'third' }
  await expect(projects.update(sub, id, late)).rejects.toMatchObject({ code: 'changed_elsewhere' })
  // without instructions, and they are removed again
  await projects.update(sub, id, { instructions: '' })
  await projects.update(sub, id, { instructions: '', instructions_seen: 'Be long.', effort: 'high' })
  expect(await projects.find(sub, id)).toMatchObject({ instructions: '', model: 'other', effort: 'high' })
})

it('files that a project has already need no room', async () => {
  const { id } = await projects.create(sub, { name: 'Thesis' })
  const files = Array.from({ length: maxProjectFiles }, (_, index) => `file-${index}`)
  await projects.update(sub, id, { add_files: files.slice(1) })
  await projects.update(sub, id, { add_files: files.slice(0, 2) })
  await projects.update(sub, id, { add_files: files, name: 'Full' })
  const found = await projects.find(sub, id)
  expect(found?.name).toBe('Full')
  expect(new Set(found?.file_ids)).toEqual(new Set(files))
  await expect(projects.update(sub, id, { add_files: ['one', 'more'] })).rejects.toMatchObject({
    code: 'too_many_project_files',
  })
})

it('a project whose instructions its user saves is no copy any more; other changes leave it one', async () => {
  const addition = { name: 'Thesis', instructions: 'Be brief.', copied_from: 'Order desk' }
  const { id } = await projects.create(sub, addition)
  await projects.update(sub, id, { name: 'Paper', model: 'other' })
  expect(await projects.find(sub, id)).toMatchObject({ name: 'Paper', copied_from: 'Order desk' })
  await projects.update(sub, id, { instructions: 'Be long.' })
  expect(await projects.find(sub, id)).not.toHaveProperty('copied_from')
})

it('an empty list of tools is none', async () => {
  const { id } = await projects.create(sub, { name: 'Thesis' })
  const disabled_tools = [{ mcp_id: 'mail' }]
  await projects.update(sub, id, { disabled_tools })
  expect(await projects.find(sub, id)).toMatchObject({ disabled_tools })
  await projects.update(sub, id, { disabled_tools: [], model: 'other' })
  const found = await projects.find(sub, id)
  expect(found).toMatchObject({ model: 'other' })
  expect(found).not.toHaveProperty('disabled_tools')
})
