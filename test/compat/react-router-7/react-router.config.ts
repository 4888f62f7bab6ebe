// The application of the suite, with the React Router of this folder.
export default { appDirectory: '../../../packages/react-router/test/app/app', future: { v8_middleware: true } };
