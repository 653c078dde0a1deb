import type { Page } from 'playwright-core'

/** Layout checks that axe does not have: nothing cut off or out of reach, nothing moving, visible controls. */

/**
 * @returns a line for each element that scrolls sideways, for a page that scrolls although a part of it does, and for text or controls that
 *   are cut off or cannot be scrolled to
 */
export const findCutOffElements = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // scripts have reacted to the size of the screen
    for (let frames = 0; frames < 3; frames += 1) await new Promise((next) => requestAnimationFrame(next))
    const slackPx = 1
    const controls = 'a[href], button, input, textarea, select, [role=switch], [role=menuitem], [role=option]'
    const describe = (element: Element) =>
      `<${element.tagName.toLowerCase()}> ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)} (${element.className.toString().slice(0, 60)})`
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'
    const isImage = (element: Element) => element.closest('svg, .katex') !== null
    // an element that scrolls on purpose is focusable and has a label
    const isOwnScroller = (element: Element) => element.matches('[role=group][tabindex="0"]')
    // shortened on purpose: the title or the accessible name has the whole text
    const isShortened = (style: CSSStyleDeclaration) =>
      style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
    const isForReadersOnly = (style: CSSStyleDeclaration) => style.clipPath === 'inset(50%)'

    /** Why this part of an element is not visible at any scroll position. */
    function hiddenBecause(element: Element, rect: DOMRect): string | undefined {
      let { left, right, top, bottom } = rect
      let fixed = getComputedStyle(element).position === 'fixed'
      for (let node = element.parentElement; node && !fixed; node = node.parentElement) {
        const style = getComputedStyle(node)
        if (isOwnScroller(node) || isShortened(style) || isForReadersOnly(style)) return undefined
        const box = node.getBoundingClientRect()
        const clips = style.overflowX !== 'visible'
        if (clips && (left < box.left - slackPx || right > box.right + slackPx))
          return `cut at the side by ${describe(node)}`
        if (scrolls(style.overflowY) || node.tagName === 'TEXTAREA') ({ top, bottom } = box)
        else if (
          clips &&
          style.overflowY !== 'visible' &&
          (top < box.top - slackPx || bottom > box.bottom + slackPx)
        )
          return `cut above or below by ${describe(node)}`
        fixed = style.position === 'fixed'
      }
      if (left < -slackPx || right > innerWidth + slackPx) return 'beside the screen'
      if (fixed && (top < -slackPx || bottom > innerHeight + slackPx))
        return 'fixed, above or below the screen'
      return undefined
    }

    const found: string[] = []
    // what is placed by the page and not by the scroller inside it makes the page longer than the screen
    const root = document.documentElement
    const hasScroller = [...document.querySelectorAll('main')].some((main) =>
      scrolls(getComputedStyle(main).overflowY),
    )
    if (hasScroller && root.scrollHeight > innerHeight + slackPx)
      found.push(`the page scrolls by ${root.scrollHeight - innerHeight} px beside its own scroller`)
    for (const element of document.querySelectorAll('*')) {
      const style = getComputedStyle(element)
      const isRoot = element === document.documentElement
      if (isImage(element) || (!isRoot && !element.checkVisibility({ visibilityProperty: true }))) continue
      if (
        (isRoot || scrolls(style.overflowX)) &&
        !isOwnScroller(element) &&
        element.scrollWidth > element.clientWidth + slackPx
      )
        if (!element.matches('input, textarea'))
          found.push(
            `scrolls sideways by ${element.scrollWidth - element.clientWidth} px: ${describe(element)}`,
          )
      if (isRoot || element.tagName === 'BODY' || isForReadersOnly(style)) continue
      if (element.closest('[aria-hidden=true], [inert], [data-sonner-toast]')) continue
      const rects: DOMRect[] = element.matches(controls) ? [element.getBoundingClientRect()] : []
      for (const child of element.childNodes) {
        if (child.nodeType !== Node.TEXT_NODE || !child.textContent?.trim() || isShortened(style)) continue
        const range = document.createRange()
        range.selectNodeContents(child)
        rects.push(...range.getClientRects())
      }
      const reason = rects
        .filter(({ width, height }) => width > 1 && height > 1)
        .map((rect) => hiddenBecause(element, rect))
        .find((one) => one !== undefined)
      if (reason !== undefined) found.push(`${reason}: ${describe(element)}`)
    }
    return found
  })

/** @returns a line for each two controls of a form that lie on each other, with what is drawn outside of them */
export const findOverlappingControls = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise((next) => requestAnimationFrame(next))
    return [...document.querySelectorAll('form')].flatMap((form) => {
      const controls = [...form.querySelectorAll('button, a, textarea, input')]
        .filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
        .map((control) => {
          const content = document.createRange()
          content.selectNodeContents(control)
          // the text of a field scrolls in it
          const boxes = [control, ...(control.matches('button, a') ? [content] : [])].map((part) =>
            part.getBoundingClientRect(),
          )
          return {
            name: control.getAttribute('aria-label') ?? control.textContent,
            left: Math.min(...boxes.map(({ left }) => left)),
            right: Math.max(...boxes.map(({ right }) => right)),
            top: Math.min(...boxes.map(({ top }) => top)),
            bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
          }
        })
      return controls.flatMap((one, index) =>
        controls
          .slice(index + 1)
          .filter(
            (other) =>
              one.left < other.right - 0.5 &&
              other.left < one.right - 0.5 &&
              one.top < other.bottom - 0.5 &&
              other.top < one.bottom - 0.5,
          )
          .map((other) => `${one.name} and ${other.name}`),
      )
    })
  })

/**
 * For fingers: a control has 44 px each way (Apple's guideline), or 24 px with spacing, so that circles of 24 px around the centres of
 * smaller ones do not touch (WCAG 2.5.8). Links within a sentence are as high as its line. The area of a checkbox is its label's.
 * @returns a line for each control that is too small
 */
export const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const smallPx = 24
    const largePx = 44
    const controls =
      'a[href], button, input, textarea, select, summary, [role=switch], [role=menuitem], [role=option]'
    const targets = [...document.querySelectorAll<HTMLElement>(controls)].flatMap((element) => {
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (!isSeen || element.closest('[inert], [aria-hidden=true], .sr-only') !== null) return []
      const isInSentence =
        getComputedStyle(element).display === 'inline' &&
        element.parentElement?.textContent !== element.textContent
      const area = element.closest('label') ?? element
      const { x, y, width, height } = area.getBoundingClientRect()
      const centre = { x: x + width / 2, y: y + height / 2 }
      // behind a dialog or out of sight, nothing is pressed
      const top = document.elementFromPoint(centre.x, centre.y)
      if (isInSentence || width < 2 || height < 2 || !top || !area.contains(top)) return []
      return [{ element, area, width, height, centre }]
    })
    return targets.flatMap(({ element, area, width, height, centre }) => {
      const smaller = Math.min(width, height)
      if (smaller >= largePx) return []
      const isCrowded = targets.some(
        (other) =>
          other.area !== area &&
          !other.area.contains(area) &&
          !area.contains(other.area) &&
          Math.hypot(other.centre.x - centre.x, other.centre.y - centre.y) < smallPx,
      )
      if (!isCrowded) return []
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40)
      return [`${Math.round(width)} × ${Math.round(height)} px: <${element.tagName.toLowerCase()}> ${name}`]
    })
  })

/** @returns a line for each animation or transition that is running */
export const findMovingElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.getAnimations().flatMap((animation) => {
      const { effect } = animation
      // a single step, however late, is not motion
      const lasts = Number(effect?.getComputedTiming().activeDuration) > 1
      if (animation.playState !== 'running' || !lasts || !(effect instanceof KeyframeEffect)) return []
      return [`moves: ${effect.target?.className.toString()} ${effect.pseudoElement ?? ''}`]
    }),
  )

/**
 * For forced colours: lines have to show what colours and shadows show otherwise.
 * @returns a line for each field without an outline, and for each group whose selected item looks like the others
 */
export const findUnseenInForcedColors = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const name = (element: Element) =>
      element.getAttribute('aria-label') ?? element.id + element.textContent?.trim().slice(0, 40)
    const visible = (selector: string) =>
      [...document.querySelectorAll(selector)].filter(
        (element) =>
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          element.getBoundingClientRect().width > 2,
      )
    const hasLine = (element: Element) => {
      const style = getComputedStyle(element)
      const isDrawn = (line: string, width: string) => line !== 'none' && parseFloat(width) > 0
      return (
        isDrawn(style.outlineStyle, style.outlineWidth) ||
        isDrawn(style.borderBottomStyle, style.borderBottomWidth) ||
        // a panel at the side of the screen has its line at the inner edge
        isDrawn(style.borderRightStyle, style.borderRightWidth)
      )
    }
    // a parent or an element underneath may draw the line
    const isOutlined = (element: Element) =>
      [
        element,
        element.parentElement,
        element.closest('form'),
        ...(element.previousElementSibling?.children ?? []),
      ].some((drawn) => drawn && hasLine(drawn))
    const fillsTheScreen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width >= innerWidth && height >= innerHeight
    }
    const readStyles = (element: Element) => {
      const parts = [element, ...element.querySelectorAll('*')].flatMap((part) => {
        const {
          color,
          backgroundColor,
          borderBottomStyle,
          borderBottomColor,
          outlineStyle,
          textDecorationLine,
          transform,
          translate,
        } = getComputedStyle(part)
        return [
          color,
          backgroundColor,
          borderBottomStyle,
          borderBottomColor,
          outlineStyle,
          textDecorationLine,
          transform,
          translate,
        ]
      })
      return parts.join()
    }
    const found = visible(
      'input:not([type=file], [type=checkbox]), textarea, [role=switch], [role=dialog], [role=menu], [role=tooltip]',
    )
      .filter((element) => !isOutlined(element) && !fillsTheScreen(element))
      .map(
        (element) =>
          `no line around ${element.getAttribute('role') ?? element.tagName.toLowerCase()} ${name(element)}`,
      )
    for (const group of visible('[role=radiogroup], [role=listbox], [role=menu] [role=group]')) {
      const members = [...group.querySelectorAll('[aria-checked], [aria-selected]')]
      const isChosen = (element: Element) =>
        element.getAttribute('aria-checked') === 'true' || element.getAttribute('aria-selected') === 'true'
      const chosen = members.find(isChosen)
      const other = members.find((element) => !isChosen(element))
      if (chosen && other && readStyles(chosen) === readStyles(other))
        found.push(`the chosen one of ${name(group)} looks like the others`)
    }
    return found
  })
