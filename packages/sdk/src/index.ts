// What this package makes public: the classes of operations with their types, and what they are called with.
export { Configuration, type ConfigurationOptions, DEFAULT_BASE_PATH } from './configuration.ts';
export { ApiError, ConnectionError, HanzoError, type Problem } from './errors.ts';
export * from './generated/index.ts';
export { type ApiResponse, type Operation, type QueryValue, type RequestOptions, send } from './request.ts';
