import { afterAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { promptRepository } from './prompt-repository.ts'

const table = await openTestTable()
afterAll(() => table.close())
const prompts = promptRepository(table)

it('prompts are listed by name, and the same addition again changes nothing', async () => {
  const second = await prompts.add('ann', { name: ' Sum  up ', text: 'Sum it up', project_id: 'p' })
  const first = await prompts.add('ann', { id: 'own', name: 'Ask', text: 'Ask me' })
  expect(await prompts.add('ann', { id: 'own', name: 'Other', text: 'Other' })).toEqual(first)
  expect(await prompts.list('ann')).toEqual([first, second])
  expect(second).toMatchObject({ name: 'Sum up', text: 'Sum it up', project_id: 'p' })
  expect(await prompts.list('bo')).toEqual([])
})

it('a change returns the prompt as it is stored, and what is gone cannot be changed', async () => {
  const added = await prompts.add('cy', {
    name: 'Ask',
    text: 'Ask me',
    project_id: 'p',
    copied_from: 'Helper',
  })
  const changed = await prompts.update('cy', added.id, { name: 'Tell', text: 'Tell me' })
  // who has saved it has made it their own
  const { copied_from, ...rest } = added
  expect(copied_from).toBe('Helper')
  expect(changed).toEqual({ ...rest, name: 'Tell', text: 'Tell me' })
  expect(await prompts.list('cy')).toEqual([changed])
  await prompts.remove('cy', added.id)
  await expect(prompts.update('cy', added.id, { name: 'Tell', text: 'x' })).rejects.toMatchObject({
    code: 'prompt_not_found',
  })
  expect(await prompts.list('cy')).toEqual([])
})

it('the prompts of a deleted project go, and no others', async () => {
  const own = await prompts.add('di', { name: 'Own', text: 'x' })
  await prompts.add('di', { name: 'Of p', text: 'x', project_id: 'p' })
  const other = await prompts.add('di', { name: 'Of q', text: 'x', project_id: 'q' })
  await prompts.removeOfProject('di', 'p')
  expect(await prompts.list('di')).toEqual([other, own])
})
