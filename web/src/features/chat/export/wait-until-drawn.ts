/** A picture or a drawing that takes longer is printed as it is: its name, or its code. */
const maxWaitMs = 20_000
const checkEveryMs = 50

const isUndrawn = (content: HTMLElement) =>
  content.querySelector('[data-undrawn="true"]') !== null ||
  [...content.querySelectorAll('img')].some(({ complete }) => !complete)

/** Waits until all pictures, charts and diagrams of a content are there, are known to be missing, or take too long. */
export async function waitUntilDrawn(content: HTMLElement): Promise<void> {
  const startedAtMs = performance.now()
  while (content.isConnected && isUndrawn(content) && performance.now() - startedAtMs < maxWaitMs)
    await new Promise((resolve) => setTimeout(resolve, checkEveryMs))
}
