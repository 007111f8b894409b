@echo off
rem The command line of SIMS: sims.cmd --help
chcp 65001 >nul
"%~dp0node\bin\node.exe" "%~dp0app\dist\server\sims-bundle.js" %*
