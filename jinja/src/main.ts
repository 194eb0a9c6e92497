export { render } from './render.ts';
export { MissingPlaceholder, TemplateError, TemplateSyntaxError } from './template-error.ts';
