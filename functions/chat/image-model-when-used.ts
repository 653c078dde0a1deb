import type { ImageModel, ImageModelSettings } from './model/image-model.ts'

/** The image model, whose code is loaded with the first picture: most replies draw none. */
export const lazyImageModel = (settings: ImageModelSettings): ImageModel => ({
  async generate(prompt, signal) {
    const { openImageModel } = await import('./model/image-model.ts')
    return openImageModel(settings).generate(prompt, signal)
  },
})
