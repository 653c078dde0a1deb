import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { findOccurrences } from '../support/every-store.ts'
import { sharePage, signedInPage } from '../support/page-steps.ts'
import { backButton, nameField, openSettings, saveButton } from '../support/settings-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'

const stack = await demoStack()
const table = await openStackTable(stack)
afterAll(() => table.close())
const sharedPage = sharePage(() => signedInPage(stack))

const pick = (page: Page, name: string, mimeType: string, content: string | Buffer) =>
  page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name, mimeType, buffer: Buffer.from(content as string) })
const avatarImage = (page: Page) => page.getByRole('button', { name: /change picture/ }).locator('img')
const readSize = (page: Page) =>
  avatarImage(page).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
const readAvatarRows = async ({ sub }: { sub: string }) =>
  (await table.readRows(sub)).filter(({ SK }) => String(SK).startsWith('AVATAR#'))

/** An uncompressed photo of 3,200 × 3,200 pixels, 30.7 MB. */
function photo(): Buffer {
  const side = 3_200
  const header = Buffer.alloc(54)
  header.write('BM', 'latin1')
  header.writeUInt32LE(54 + side * side * 3, 2)
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(side, 18)
  header.writeInt32LE(side, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  const pixels = Buffer.alloc(side * side * 3)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (at * 2_654_435_761) >>> 24
  return Buffer.concat([header, pixels])
}

/** Two frames of one pixel, a tenth of a second each, for ever. */
const animation = Buffer.from(
  '47494638396101000100800000ff0000ffffff21ff0b4e45545343415045322e30030100000021f9040400' +
    '0a0000002c000000000100010000020244010021f90404000a0000002c00000000010001000002024c01003b',
  'hex',
)

it('SET-07 MENU-01 DEC-034 makes a small square of a photo of 30 MB, and shows it once it is saved', async () => {
  const { page, user } = await sharedPage()
  await openSettings(page)
  // from the disk: as part of a message to the browser it takes up to half a minute
  const path = join(await mkdtemp(join(process.env['TEST_SCRATCH'] ?? tmpdir(), 'photo-')), 'me.bmp')
  await writeFile(path, photo())
  await page.getByLabel('Picture', { exact: true }).setInputFiles(path)
  await page.getByText('Avatar uploaded!').waitFor()
  await saveButton(page).click()
  await page.getByText('Profile updated!').waitFor()
  const rows = await readAvatarRows(user)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.['ttl']).toBeUndefined()
  expect(rows[0]?.['bytes']).toSatisfy((bytes: Uint8Array) => bytes.length <= 60_000)
  await page.reload()
  await avatarImage(page).waitFor()
  await expect.poll(() => readSize(page)).toEqual([512, 512])
  await backButton(page).click()
  await page
    .getByRole('button', { name: /account menu/ })
    .locator('img')
    .waitFor()
})

it('SET-05 SET-24 DEC-034 uploads a picture, keeps one frame of an animation, and reminds the user to save', async () => {
  const { page, user } = await sharedPage()
  await openSettings(page)
  const earlier = (await readAvatarRows(user)).map(({ SK }) => SK)
  await pick(page, 'me.gif', 'image/gif', animation)
  await page.getByText('Avatar uploaded!').waitFor()
  await page.getByText("Don't forget to save your changes.").waitFor()
  const row = (await readAvatarRows(user)).find(({ SK }) => !earlier.includes(SK))
  expect(row?.['type']).toMatch(/^image\/(webp|jpeg)$/)
  expect(Buffer.from(row?.['bytes'] as Uint8Array).toString('latin1')).not.toMatch(/GIF8|ANIM/)
})

it('SET-05 DEC-034 converts a vector image into pixels without its script', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await openSettings(page)
  await pick(
    page,
    'me.svg',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>alert("CANARY-svg")</script><rect width="10" height="10" fill="red"/></svg>',
  )
  await page.getByText('Avatar uploaded!').waitFor()
  expect(await findOccurrences(stack, 'CANARY-svg')).toEqual([])
})

it('SET-25 DEC-034 refuses text with a picture’s file name, and keeps the current picture', async () => {
  const { page, user } = await sharedPage()
  await openSettings(page)
  const earlier = await readAvatarRows(user)
  await pick(page, 'me.png', 'image/png', 'This is text.')
  await page.getByText('Upload failed').waitFor()
  expect(await readAvatarRows(user)).toEqual(earlier)
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
  await expect.poll(() => nameField(page).isVisible()).toBe(true)
})
